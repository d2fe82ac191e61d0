// Scaling: a non-negative matrix multiplied by powers of two so that elements of any range come
// close to 1.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tessera::inline v0::eigen {

/// The matrix 2^-root * D^-1 A D with D = diag(2^exponents), row-major.
struct ScaledMatrix {
  std::span<const double> original;  ///< A, which has lost nothing to underflow
  std::vector<double> elements;
  std::vector<int> exponents;
  int root = 0;

  std::size_t size() const { return exponents.size(); }
};

/// Brings the largest element of every row close to 1, and all elements below 2. The exponents and
/// the root are an eigenvector and the eigenvalue of A in max-plus algebra. Policy iteration finds
/// them with n^2 comparisons per step (Cochet-Terrasson, Cohen, Gaubert, Mc Gettrick and Quadrat,
/// "Numerical computation of spectral elements in max-plus algebra", IFAC 1998). `a` is square,
/// row-major and irreducible, but not the 1 x 1 zero. The result refers to `a`.
ScaledMatrix balanced(std::span<const double> a, std::size_t n);

/// The same matrix with other exponents. Refers to `a`.
ScaledMatrix scaled(std::span<const double> a, std::vector<int> exponents, int root);

}  // namespace tessera::inline v0::eigen
