// Irreducible: the root and the vector of an irreducible non-negative matrix on the host, whatever
// its period, the gap to its second eigenvalue, or the range of its elements.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "eigen/certificate.hpp"

namespace tessera::inline v0::eigen {

/// Larger matrices are left to the device: elimination takes n^3 / 3 multiplications.
constexpr std::size_t kLargestOnHost = 1024;

/// The matrix 2^-root * D^-1 A D with D = diag(2^exponents), row-major.
struct ScaledMatrix {
  std::vector<double> elements;
  std::vector<int> exponents;
  int root = 0;

  std::size_t size() const { return exponents.size(); }
};

/// Exponents that bring the largest element of every row close to 1: an eigenvector and the
/// eigenvalue of A in max-plus algebra, by policy iteration (Cochet-Terrasson, Cohen, Gaubert, Mc
/// Gettrick and Quadrat, "Numerical computation of spectral elements in max-plus algebra", IFAC
/// 1998). `a` is square, row-major and irreducible; not the 1 x 1 zero.
ScaledMatrix balanced(std::span<const double> a, std::size_t n);

/// The same matrix with other exponents.
ScaledMatrix scaled(std::span<const double> a, std::vector<int> exponents, int root);

/// The precision of ratios_of() for n x n.
Precision precision_of_ratios(std::size_t n);

/// A v / v, by compensated sums.
std::vector<double> ratios_of(const ScaledMatrix& a, std::span<const double> v);

/// A positive vector with its ratios, and what they prove.
struct Root {
  std::vector<double> vector, ratios;
  Certificate certificate;  ///< of the scaled matrix
};

/// Noda's iteration ("Note on the computation of the maximal eigenvalue of a non-negative
/// irreducible matrix", Numer. Math. 17, 1971), which converges quadratically from any positive
/// vector (Elsner, Linear Algebra Appl. 15, 1976): until the interval is within `tolerance`,
/// relative, or below `enough`, or no longer gets narrower. n^3 / 3 multiplications a step.
Root find_root(const ScaledMatrix& a, double tolerance, double enough);

/// Solves (shift - A) w = b for b >= 0, where (shift - A) v = (shift - ratios) v > 0. Without a
/// subtraction, so that every component is precise and none is negative (Grassmann, Taksar and
/// Heyman, "Regenerative analysis and steady state distributions for Markov chains", Oper. Res. 33,
/// 1985; Alfa, Xue and Ye, "Accurate computation of the smallest eigenvalue of a diagonally
/// dominant M-matrix", Math. Comp. 71, 2002).
std::vector<double> solve_below(const ScaledMatrix& a, double shift, std::span<const double> v,
                                std::span<const double> ratios, std::vector<double> b);

}  // namespace tessera::inline v0::eigen
