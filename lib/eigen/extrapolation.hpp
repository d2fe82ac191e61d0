// Extrapolation: from the vectors of successive rounds to one nearer to their limit.
#pragma once

#include <optional>
#include <vector>

namespace tessera::inline v0::eigen {

/// `vectors` are positive, more than five, and each is A times the one before times its factor, of
/// which there is one fewer. Returns a vector of their Krylov space whose Collatz-Wielandt bounds
/// are narrower than the last one's: the better of reduced rank extrapolation (Sidi, "Vector
/// Extrapolation Methods with Applications", SIAM, 2017, chapter 2) and of the dominant Ritz vector
/// (Saad, "Numerical Methods for Large Eigenvalue Problems", SIAM, 2011, chapter 6), both in a norm
/// that weighs components by the last vector's. Nothing where neither is narrower.
std::optional<std::vector<double>> extrapolated(const std::vector<std::vector<double>>& vectors,
                                                const std::vector<double>& factors);

}  // namespace tessera::inline v0::eigen
