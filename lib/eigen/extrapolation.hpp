// Extrapolation: from the vectors of successive rounds to one closer to their limit.
#pragma once

#include <optional>
#include <vector>

namespace tessera::inline v0::eigen {

/// `vectors` are more than five positive vectors, each A times the previous one times its factor;
/// there is one factor fewer. Returns a vector of their Krylov space whose Collatz-Wielandt bounds
/// are narrower than the last one's: the better of reduced rank extrapolation (Sidi, "Vector
/// Extrapolation Methods with Applications", SIAM, 2017, chapter 2) and of the dominant Ritz vector
/// (Saad, "Numerical Methods for Large Eigenvalue Problems", SIAM, 2011, chapter 6), both in a norm
/// that weights components by the last vector's. Nothing if neither is narrower.
std::optional<std::vector<double>> extrapolated(const std::vector<std::vector<double>>& vectors,
                                                const std::vector<double>& factors);

}  // namespace tessera::inline v0::eigen
