// Checks of add: problems with extents around the edges of work-groups, and every element against
// a reference and its bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/workload.hpp"
#include "tessera/check.hpp"

namespace tessera::inline v0::elementwise {

std::vector<CheckCase> add_cases(const ProductTypes& types, const Parameters& parameters,
                                 bool defaults, std::size_t largest);
std::vector<CheckCase> final_add_cases(const Problem& problem, const Parameters& parameters,
                                       std::uint64_t seed);
std::vector<CheckCase> first_add_cases(const Problem& problem, const Parameters& parameters);

CheckResult check_add(const Engine& engine, const CheckCase& check_case,
                      const kernels::SharedPlan& plan);

}  // namespace tessera::inline v0::elementwise
