// Neighbours: problems near the tuned one, and how a winner compares with the default there.
#pragma once

#include <vector>

#include "tessera/tune.hpp"
#include "tuning/evaluator.hpp"
#include "tuning/policy.hpp"

namespace tessera::inline v0::tuning {

/// Groups of problems that are about equally far from another one.
using Neighbourhood = std::vector<std::vector<Problem>>;

/// Up to four times as large or small as `problem`, nearest first: sizes, including some that are
/// not multiples of tiles, and for products other transposes and shapes. Without those that are too
/// large, or would take too long given that `problem` takes `seconds`.
Neighbourhood neighbourhood(const Problem& problem, const DeviceInfo& device, double seconds,
                            const Policy& policy);

/// Times `winner` in turns with `standard`, group by group, until one of them fails or the deadline
/// ends it, or after a group in which the winner is slower somewhere: farther away it is not likely
/// to be faster.
std::vector<Neighbour> measure_neighbours(Evaluator& evaluator, const Neighbourhood& groups,
                                          std::size_t winner, std::size_t standard, double deadline,
                                          const Policy& policy);

}  // namespace tessera::inline v0::tuning
