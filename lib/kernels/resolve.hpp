// Resolving: whether a variant runs on a target, and with which of its legal sets of parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/operation.hpp"

namespace tessera::inline v0::kernels {

/// Why the variant does not run on the target; empty if it does.
std::optional<std::string> why_not(const Variant& variant, const Target& target);

/// The legal set that contains `given` and is otherwise nearest to the variant's preferences.
/// Throws ArgumentError for a name or value that the variant does not have, UnsupportedError if no
/// legal set contains `given`.
Parameters resolve(const Variant& variant, const Parameters& given, const Target& target);

/// The legal set nearest to `wished`, ignoring parameters that the variant does not have. Throws
/// UnsupportedError if no set is legal.
Parameters nearest_legal(const Variant& variant, const Parameters& wished, const Target& target);

/// The kernel that the operation prefers for the problem among those that run on the target. Throws
/// UnsupportedError if none does.
KernelChoice default_kernel(const Operation& operation, const Target& target,
                            const Problem& problem);

/// Legal sets of parameters; empty if the variant does not run on the target.
std::vector<Parameters> configurations(const Variant& variant, const Target& target,
                                       Coverage coverage);

}  // namespace tessera::inline v0::kernels
