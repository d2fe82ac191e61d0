// Checks of add: problems with extents around the edges of work-groups, and the trial of its
// kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/trial.hpp"
#include "tessera/check.hpp"

namespace tessera::inline v0::elementwise {

std::vector<CheckCase> add_cases(const ProductTypes& types, const Parameters& parameters,
                                 bool defaults, std::size_t largest);
std::vector<CheckCase> final_add_cases(const Problem& problem, const Parameters& parameters,
                                       std::uint64_t seed);
std::vector<CheckCase> first_add_cases(const Problem& problem, const Parameters& parameters);

/// The operands are c, a and b.
extern const kernels::Trial kAddTrial;

}  // namespace tessera::inline v0::elementwise
