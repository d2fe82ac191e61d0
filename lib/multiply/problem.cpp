// From views and options to a problem that is right.
#include "multiply/problem.hpp"

#include <fmt/format.h>

#include <utility>

#include "multiply/operands.hpp"
#include "runtime/stream.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

Layout layout_of(const MatrixLayout& matrix, bool transposed) {
  Layout layout{matrix.offset, matrix.leading_dimension, 1};
  if (transposed) std::swap(layout.row, layout.column);
  return layout;
}

}  // namespace

template <Element T>
Shape shape_of(const ConstMatrixView<T>& a, const ConstMatrixView<T>& b,
               const MultiplyOptions<T>& options) {
  Shape shape{a.rows(), b.columns(), a.columns()};
  std::size_t b_rows = b.rows();
  if (options.transpose_a) std::swap(shape.m, shape.k);
  if (options.transpose_b) std::swap(shape.n, b_rows);
  if (shape.k != b_rows) {
    throw MatrixError(fmt::format(
        "multiply: a is {} x {}{} and b is {} x {}{}: the inner dimensions {} and {} differ",
        a.rows(), a.columns(), options.transpose_a ? " transposed" : "", b.rows(), b.columns(),
        options.transpose_b ? " transposed" : "", shape.k, b_rows));
  }
  return shape;
}

template <Element T>
Problem describe(const MatrixView<T>& c, const ConstMatrixView<T>& a, const ConstMatrixView<T>& b,
                 const MultiplyOptions<T>& options) {
  Shape shape = shape_of(a, b, options);
  if (c.rows() != shape.m || c.columns() != shape.n) {
    throw MatrixError(fmt::format("multiply: the product is {} x {} and c is {} x {}", shape.m,
                                  shape.n, c.rows(), c.columns()));
  }
  const NamedOperand output{"c", c.layout(), sizeof(T)};
  require_apart("multiply", {"a", a.layout(), sizeof(T)}, output);
  require_apart("multiply", {"b", b.layout(), sizeof(T)}, output);
  // Without products alpha has no factor, even where it is not finite.
  if (options.alpha == 0) shape.k = 0;
  const Scalar<T> alpha = shape.k == 0 ? 0 : options.alpha;
  return {kernels::kElementType<T>,
          shape,
          runtime::value_of(alpha),
          runtime::value_of(options.beta),
          {a.layout().memory.get(), layout_of(a.layout(), options.transpose_a)},
          {b.layout().memory.get(), layout_of(b.layout(), options.transpose_b)},
          {c.layout().memory.get(), layout_of(c.layout(), false)}};
}

#define TESSERA_PROBLEM(T)                                                      \
  template Shape shape_of(const ConstMatrixView<T>&, const ConstMatrixView<T>&, \
                          const MultiplyOptions<T>&);                           \
  template Problem describe(const MatrixView<T>&, const ConstMatrixView<T>&,    \
                            const ConstMatrixView<T>&, const MultiplyOptions<T>&);
TESSERA_PROBLEM(float)
TESSERA_PROBLEM(double)
TESSERA_PROBLEM(std::int32_t)
TESSERA_PROBLEM(half)
#undef TESSERA_PROBLEM

}  // namespace tessera::inline v0::multiplication
