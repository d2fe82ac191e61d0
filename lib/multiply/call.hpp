// Call: same-shape products in the form kernels take them, C = alpha * A * B + beta * C.
#pragma once

#include "operands/product.hpp"
#include "runtime/submission.hpp"
#include "tessera/multiply_batched.hpp"

namespace tessera::inline v0::multiplication {

using operands::Layout;
using operands::Shape;

struct Call {
  Problem problem;
  Shape shape;
  runtime::Value alpha, beta;
  operands::Operand a, b, c;  // m x k, k x n, m x n after transposes

  const ProductTypes& types() const { return problem.types; }
  /// Bytes of an element of A and B, and of the numbers that are computed with.
  std::size_t element_size() const { return tessera::element_size(problem.types.a); }
  std::size_t number_size() const { return tessera::element_size(problem.types.sum); }
  std::size_t batch() const { return problem.batch; }
  bool is_empty() const { return shape.m == 0 || shape.n == 0 || problem.batch == 0; }
};

/// Checks shapes, contexts and overlap; throws MatrixError and ArgumentError.
/// Transposes become strides, and alpha == 0 becomes an empty sum, so that A and B are not read.
Call make_call(const detail::Batch& c, const detail::Batch& a, const detail::Batch& b,
               const MultiplyOptions& options);

/// The shape of a product; throws MatrixError if a and b do not conform.
Shape shape_of(const detail::Operand& a, const detail::Operand& b);

}  // namespace tessera::inline v0::multiplication
