// Combinations: every legal set of a variant's parameters, one after another.
#pragma once

#include <functional>
#include <vector>

#include "kernels/variant.hpp"

namespace tessera::inline v0::kernels {

/// Visits every legal set that contains `given`; the first parameter varies slowest. Only the
/// current set is in memory, and partial sets that a rule forbids are pruned.
void for_each_legal(const Variant& variant, const Parameters& given, const Target& target,
                    const std::function<void(const Parameters&)>& visit);

/// A few of `sets`, including the first, that cover every value in any of them. All have the same
/// names.
std::vector<Parameters> cover(const std::vector<Parameters>& sets);

}  // namespace tessera::inline v0::kernels
