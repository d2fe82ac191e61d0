// Completion: the pair of a matrix that rounds alone do not answer, by its irreducible classes.
#pragma once

#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// Completes the pair that rounds have found, for any non-negative matrix whose row sums are
/// finite. The spectral radius is the largest root of a class. The eigenvector is the eigenvector
/// of a class whose root is larger than the root of any class with access to it, continued to these
/// classes (Rothblum, "Algebraic eigenspaces of nonnegative matrices", Linear Algebra Appl. 12,
/// 1975; Schneider, "The influence of the marked reduced graph of a nonnegative matrix on the
/// Jordan form and on related properties: a survey", Linear Algebra Appl. 84, 1986). Reads the
/// matrix. Waits.
detail::EigenPairOperand complete(const detail::Operand& a, const EigenOptions& options,
                                  detail::EigenPairOperand found);

}  // namespace tessera::inline v0::eigen
