// Irreducible: the root and the vector of an irreducible non-negative matrix on the host, whatever
// its period, the gap to its second eigenvalue, or the range of its elements.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "eigen/certificate.hpp"
#include "eigen/scaling.hpp"

namespace tessera::inline v0::eigen {

/// Rows of the largest dense matrix that the host solves at once: elimination takes n^3 / 3
/// multiplications.
constexpr std::size_t kLargestOnHost = 1024;

/// Multiplications of a step on the host: as many as for kLargestOnHost dense rows, which take less
/// time than rounds, and for twice as many rows, which are worth it where rounds do not converge.
constexpr double kFewMultiplications = 0x1p30 / 3, kMostMultiplications = 0x1p33 / 3;

/// The multiplications of an elimination, which skips zeros, or more than `most` if there are more.
double multiplications(std::span<const double> a, std::size_t n, double most);

/// The precision of ratios_of() for n x n and a vector with components of at most 1.
Precision precision_of_ratios(std::size_t n);

/// A v / v, by compensated sums.
std::vector<double> ratios_of(const ScaledMatrix& a, std::span<const double> v);

/// A positive vector with its ratios, and what they prove.
struct Root {
  std::vector<double> vector, ratios;
  std::vector<int> exponents;  ///< an eigenvector of the original matrix is 2^exponents * vector
  Certificate certificate;     ///< of the scaled matrix
};

/// Computes the ratios and the certificate of a vector with components of at most 1. Returns
/// nothing unless the vector is positive and its upper bound is finite.
std::optional<Root> rated(const ScaledMatrix& a, std::vector<double> v);

/// Noda's iteration ("Note on the computation of the maximal eigenvalue of a non-negative
/// irreducible matrix", Numer. Math. 17, 1971), which converges quadratically from any positive
/// vector (Elsner, Linear Algebra Appl. 15, 1976): until the interval is within `tolerance`,
/// relative, or below `enough`, or no longer gets narrower. n^3 / 3 multiplications a step.
///
/// Two additions save thousands of steps before convergence is quadratic. The proof does not depend
/// on them: the interval always follows from the vector.
///  * Close to a Jordan block of n rows, Noda's step takes 1 / n from the distance to the root.
///    Smaller shifts are tried after slow steps. Elimination finds the shifts below the root.
///  * If blocks are hardly coupled, a step divides the components outside the block with the root
///    by up to 2^50. The bounds do not narrow before these are as small as their coupling, so they
///    are computed from that block's components at once.
/// If components are below 2^-100, their exponents move into the scaling.
Root find_root(ScaledMatrix a, double tolerance, double enough);

/// Solves (shift - A) w = b for b >= 0, where (shift - A) v = (shift - ratios) v. If that is
/// positive, without a subtraction, so that every component is precise and none is negative
/// (Grassmann, Taksar and Heyman, "Regenerative analysis and steady state distributions for Markov
/// chains", Oper. Res. 33, 1985; Alfa, Xue and Ye, "Accurate computation of the smallest eigenvalue
/// of a diagonally dominant M-matrix", Math. Comp. 71, 2002). Returns nothing if a pivot is not
/// positive: then the shift is not above the root.
std::vector<double> solve_below(const ScaledMatrix& a, double shift, std::span<const double> v,
                                std::span<const double> ratios, std::vector<double> b);

}  // namespace tessera::inline v0::eigen
