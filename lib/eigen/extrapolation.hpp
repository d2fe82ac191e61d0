// Extrapolation: from the vectors of successive rounds to one nearer to where they lead.
#pragma once

#include <optional>
#include <vector>

namespace tessera::inline v0::eigen {

/// `vectors` are positive, more than five, and each is A times the one before times its factor:
/// there is one factor less. Gives a vector of
/// their Krylov space whose bounds of Collatz and Wielandt are narrower than the last one's: the
/// better of reduced rank extrapolation (Sidi, "Vector Extrapolation Methods with Applications",
/// SIAM, 2017, chapter 2) and of the dominant Ritz vector (Saad, "Numerical Methods for Large
/// Eigenvalue Problems", SIAM, 2011, chapter 6), both in a norm that weighs components by the last
/// vector's. Nothing where neither is narrower.
std::optional<std::vector<double>> extrapolated(std::vector<std::vector<double>> vectors,
                                                const std::vector<double>& factors);

}  // namespace tessera::inline v0::eigen
