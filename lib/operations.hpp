// All operations with their tables.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/plan.hpp"
#include "kernels/workload.hpp"
#include "tessera/check.hpp"

namespace tessera::inline v0 {

const std::vector<const kernels::Operation*>& operation_tables();

/// Throws UnsupportedError, which lists those there are.
const kernels::Operation& find_operation(const std::string& name);

/// One product, tried with elements of a type.
CheckCase check_case_of(const MultiplyCase& product, ElementType type);

/// With pseudo-random operands of `seed`.
std::unique_ptr<kernels::Workload> make_workload(const Engine& engine, const TuneProblem& problem,
                                                 std::uint64_t seed);

/// What a tuner's winner has to pass before it is saved.
std::vector<CheckCase> last_cases(const TuneProblem& problem, const KernelChoice& kernel,
                                  std::uint64_t seed);

/// Has the operation transposes?
bool has_transposes(const TuneProblem& problem);

}  // namespace tessera::inline v0
