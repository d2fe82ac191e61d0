// Extrapolation: from the vectors of successive rounds to one nearer to where they lead.
#pragma once

#include <optional>
#include <vector>

namespace tessera::inline v0::eigen {

/// `vectors` are positive, and each is A times the one before times its factor. Gives the Ritz
/// vector of their Krylov space to the largest Ritz value (Saad, "Numerical Methods for Large
/// Eigenvalue Problems", SIAM, 2011, chapter 6), in the norm that weighs each component by the last
/// vector's; nothing where it is not positive.
std::optional<std::vector<double>> extrapolated(std::vector<std::vector<double>> vectors,
                                                const std::vector<double>& factors);

}  // namespace tessera::inline v0::eigen
