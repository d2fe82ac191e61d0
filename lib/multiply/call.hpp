// Call: same-shape products in the form kernels take them, C = alpha * A * B + beta * C.
#pragma once

#include "operands/element.hpp"
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

  ElementType type() const { return problem.type; }
  std::size_t batch() const { return problem.batch; }
  bool is_empty() const { return shape.m == 0 || shape.n == 0 || problem.batch == 0; }
};

/// Checks shapes, devices and overlap; throws MatrixError and ArgumentError. Transposes become
/// strides, and alpha == 0 becomes an empty sum, so that A and B are not read.
template <Element T>
Call make_call(const BatchView<ProductElement<T>>& c, const ConstBatchView<T>& a,
               const ConstBatchView<T>& b, const MultiplyOptions<T>& options);

/// The shape of the result, m and n; throws MatrixError if a and b do not conform.
template <Element T>
Shape shape_of(const ConstMatrixView<T>& a, const ConstMatrixView<T>& b,
               const MultiplyOptions<T>& options);

}  // namespace tessera::inline v0::multiplication
