// Combinations: every legal set of a variant's parameters, one after another.
#pragma once

#include <functional>
#include <vector>

#include "kernels/variant.hpp"

namespace tessera::inline v0::kernels {

/// Visits every legal set that has `given`, the first parameter changing last. Only the one that
/// is visited is in memory, and what a rule forbids early on is not gone through.
void for_each_legal(const Variant& variant, const Parameters& given, const Target& target,
                    const std::function<void(const Parameters&)>& visit);

/// A few of `sets`, the first among them, that have every value which any of them has. All have the
/// same names.
std::vector<Parameters> cover(const std::vector<Parameters>& sets);

}  // namespace tessera::inline v0::kernels
