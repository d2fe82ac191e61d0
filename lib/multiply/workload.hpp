// What a tuner needs of multiply: operands of a problem, its work, and the cases of the last check.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/workload.hpp"
#include "tessera/check.hpp"
#include "tessera/tune.hpp"

namespace tessera::inline v0::multiplication {

/// Pseudo-random operands of `seed` on the engine's device.
std::unique_ptr<kernels::Workload> make_multiply_workload(const Engine& engine,
                                                          const TuneProblem& problem,
                                                          std::uint64_t seed);

Work multiply_work(const TuneProblem& problem);

/// What a winner has to pass: odd, tall, wide and tiny products, strided ones among them, with the
/// problem's transposes and in turn with the others, for which the winner may be used too.
std::vector<MultiplyCase> last_multiply_cases(const TuneProblem& problem, std::uint64_t seed);

}  // namespace tessera::inline v0::multiplication
