// From views and options to a problem that is right.
#include "multiply/problem.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "multiply/overlap.hpp"
#include "runtime/stream.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

template <class T>
runtime::Value value_of(T number) {
  runtime::Value value{{}, sizeof number};
  std::memcpy(value.bytes.data(), &number, sizeof number);
  return value;
}

Layout layout_of(const Place& place, bool transposed) {
  Layout layout{place.offset, place.leading_dimension, 1};
  if (transposed) std::swap(layout.row, layout.column);
  return layout;
}

/// The bytes of a view in the buffer that all its sub-buffers share.
Rows bytes_of(const Place& place, std::size_t element_size) {
  return {place.memory->origin() + place.offset * element_size, place.rows,
          place.columns * element_size, place.leading_dimension * element_size};
}

void check_operand(const char* name, const Place& operand, const Place& c,
                   std::size_t element_size) {
  if (operand.memory == nullptr)
    throw MatrixError(fmt::format("multiply: {} was moved from", name));
  if (&operand.stream->context() != &c.stream->context()) {
    throw DeviceError(fmt::format(
        "multiply: {} is on {} and c on {}, in different contexts; copy_to() moves a matrix", name,
        operand.stream->context().device().info.name, c.stream->context().device().info.name));
  }
  if (operand.memory->root() == c.memory->root() &&
      overlap(bytes_of(operand, element_size), bytes_of(c, element_size))) {
    throw MatrixError(fmt::format("multiply: c and {} have elements in common", name));
  }
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
  if (c.place().memory == nullptr) throw MatrixError("multiply: c was moved from");
  check_operand("a", a.place(), c.place(), sizeof(T));
  check_operand("b", b.place(), c.place(), sizeof(T));
  // Without products alpha has no factor, even where it is not finite.
  if (options.alpha == 0) shape.k = 0;
  const Scalar<T> alpha = shape.k == 0 ? 0 : options.alpha;
  return {kernels::kElementType<T>,
          shape,
          value_of(alpha),
          value_of(options.beta),
          {a.place().memory.get(), layout_of(a.place(), options.transpose_a)},
          {b.place().memory.get(), layout_of(b.place(), options.transpose_b)},
          {c.place().memory.get(), layout_of(c.place(), false)}};
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
