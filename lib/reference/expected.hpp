// Expected: an element of the reference product, with the terms of its bound.
#pragma once

#include <array>
#include <cstddef>

#include "reference/bound.hpp"
#include "tessera/scalar.hpp"

namespace tessera::inline v0::reference {

/// A row of a and a column of b, both contiguous; complex elements as their parts.
struct Lines {
  const double *a, *b;
  std::size_t k;
};

/// The factors, and the element of c before, or its parts.
struct Update {
  Scalar alpha, beta;
  std::array<double, 2> before;
};

/// One element of the reference, or its parts, with the terms of its bound. The terms leave out
/// numbers that are not finite: an overflow of the others may make the element NaN.
struct Expected {
  std::array<double, 2> value = {};
  Terms terms = {};
  double sum = 0;  ///< magnitude of the sum of products
};

/// alpha * sum of products + beta * before. Sums of float products are exact enough in double. Sums
/// of double products are accumulated in long double.
Expected expected(const Lines& of, const ProductTypes& types, const Update& update);

}  // namespace tessera::inline v0::reference
