// Extrapolation: from the vectors of successive rounds to one closer to their limit.
#pragma once

#include <optional>
#include <vector>

namespace tessera::inline v0::eigen {

/// `vectors` are more than five positive vectors, each A times the previous one times its factor;
/// there is one factor fewer. Returns a vector of their Krylov space that is better than the last
/// one, or nothing. A vector is better if the round that computes it has narrower Collatz-Wielandt
/// bounds. The result is the better vector of two methods:
///  * reduced rank extrapolation (Sidi, "Vector Extrapolation Methods with Applications", SIAM,
///    2017, chapter 2)
///  * the dominant Ritz vector (Saad, "Numerical Methods for Large Eigenvalue Problems", SIAM,
///    2011, chapter 6)
/// Both use a norm of components relative to the last vector's.
std::optional<std::vector<double>> extrapolated(const std::vector<std::vector<double>>& vectors,
                                                const std::vector<double>& factors);

}  // namespace tessera::inline v0::eigen
