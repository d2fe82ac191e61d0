// Builds a validated call from views and options.
#include "multiply/call.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "operands/operands.hpp"
#include "operands/overlap.hpp"
#include "runtime/memory.hpp"
#include "runtime/opencl_error.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::NamedOperand;

template <class View>
bool is_several(const View& batch) {
  return batch.count > 1 && batch.first.rows() > 0 && batch.first.columns() > 0;
}

/// One matrix that encloses all matrices of a batch: whatever does not overlap it overlaps none of
/// them. Its layout is in `made` unless the batch has one matrix.
template <class View>
NamedOperand hull(const char* name, const View& batch, MatrixLayout& made) {
  constexpr std::size_t kSize = sizeof(typename View::element_type);
  if (batch.count == 1) return {name, batch.first.layout(), kSize};
  made = batch.first.layout();
  if (batch.count == 0) made.rows = 0;
  if (!is_several(batch) || batch.stride == 0) return {name, made, kSize};
  if (batch.stride == made.rows * made.leading_dimension) {
    made.rows *= batch.count;
    return {name, made, kSize};
  }
  // A single row that spans the first element to the last.
  made.columns += (batch.count - 1) * batch.stride + (made.rows - 1) * made.leading_dimension;
  made.leading_dimension = made.columns;
  made.rows = 1;
  return {name, made, kSize, true};
}

/// A view is inside its memory; are all matrices of a batch?
template <class View>
void require_inside(const char* name, const View& batch) {
  const MatrixLayout& layout = batch.first.layout();
  if (!is_several(batch) || batch.stride == 0 || layout.memory == nullptr) return;
  const std::size_t bytes = runtime::with_opencl_errors(
      [&] { return layout.memory->buffer().template getInfo<CL_MEM_SIZE>(); },
      [] { return std::string("checking a batch"); });
  const std::size_t behind =
      bytes / sizeof(typename decltype(batch.first)::element_type) -
      (layout.offset + (layout.rows - 1) * layout.leading_dimension + layout.columns);
  if (batch.stride <= behind / (batch.count - 1)) return;
  throw MatrixError(
      ErrorCode::out_of_bounds,
      fmt::format("multiply: {} matrices {} elements apart are not all inside the memory of {}",
                  batch.count, batch.stride, name));
}

template <class View>
void require_disjoint(const View& output) {
  if (!is_several(output)) return;
  const std::size_t pitch = output.first.leading_dimension();
  const operands::Rows first{0, output.first.rows(), output.first.columns(), pitch};
  const std::size_t extent = (first.rows - 1) * pitch + first.columns;
  operands::Rows other = first;
  for (std::size_t i = 1; i < output.count; i++) {
    other.begin += output.stride;
    if (other.begin >= extent) return;
    if (operands::overlap(first, other))
      throw MatrixError(ErrorCode::overlapping,
                        "multiply: the matrices of c have elements in common");
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
    throw MatrixError(
        ErrorCode::invalid_shape,
        fmt::format(
            "multiply: a is {} x {}{} and b is {} x {}{}: the inner dimensions {} and {} differ",
            a.rows(), a.columns(), options.transpose_a ? " transposed" : "", b.rows(), b.columns(),
            options.transpose_b ? " transposed" : "", shape.k, b_rows));
  }
  return shape;
}

namespace {

template <Element T>
Shape shape_of_batch(const BatchView<ProductElement<T>>& c, const ConstBatchView<T>& a,
                     const ConstBatchView<T>& b, const MultiplyOptions<T>& options) {
  if (a.count != c.count || b.count != c.count) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("multiply: a has {} matrices, b has {} and c has {}", a.count,
                                  b.count, c.count));
  }
  if (c.count == 0) return {0, 0, 0};  // an empty batch has no shape
  const Shape shape = shape_of(a.first, b.first, options);
  if (c.first.rows() != shape.m || c.first.columns() != shape.n) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("multiply: the product is {} x {} and c is {} x {}", shape.m,
                                  shape.n, c.first.rows(), c.first.columns()));
  }
  return shape;
}

}  // namespace

template <Element T>
Call make_call(const BatchView<ProductElement<T>>& c, const ConstBatchView<T>& a,
               const ConstBatchView<T>& b, const MultiplyOptions<T>& options) {
  Shape shape = shape_of_batch(c, a, b, options);
  require_inside("a", a);
  require_inside("b", b);
  require_inside("c", c);
  require_disjoint(c);
  MatrixLayout made_a, made_b, made_c;
  const NamedOperand output = hull("c", c, made_c);
  operands::require_apart("multiply", hull("a", a, made_a), output);
  operands::require_apart("multiply", hull("b", b, made_b), output);
  // An empty sum is not scaled by alpha, even if alpha is not finite.
  if (options.alpha == 0) shape.k = 0;
  const Scalar<T> alpha = shape.k == 0 ? 0 : options.alpha;
  const MatrixLayout &at_a = a.first.layout(), &at_b = b.first.layout(), &at_c = c.first.layout();
  return {{.operation = "multiply",
           .type = operands::kElementType<T>,
           .m = shape.m,
           .n = shape.n,
           .k = shape.k,
           .batch = c.count,
           .transpose_a = options.transpose_a,
           .transpose_b = options.transpose_b,
           .leading_dimensions = {operands::stride_of(at_a), operands::stride_of(at_b),
                                  operands::stride_of(at_c)},
           .batch_strides = {a.stride, b.stride, c.stride},
           .alpha = static_cast<double>(alpha),
           .beta = static_cast<double>(options.beta),
           .mode = {.accuracy = options.accuracy}},
          shape,
          runtime::value_of(alpha),
          runtime::value_of(options.beta),
          operands::operand_of(at_a, options.transpose_a, a.stride),
          operands::operand_of(at_b, options.transpose_b, b.stride),
          operands::operand_of(at_c, false, c.stride)};
}

#define TESSERA_CALL(T)                                                                  \
  template Shape shape_of(const ConstMatrixView<T>&, const ConstMatrixView<T>&,          \
                          const MultiplyOptions<T>&);                                    \
  template Call make_call(const BatchView<ProductElement<T>>&, const ConstBatchView<T>&, \
                          const ConstBatchView<T>&, const MultiplyOptions<T>&);
TESSERA_CALL(float)
TESSERA_CALL(double)
TESSERA_CALL(std::int32_t)
TESSERA_CALL(half)
TESSERA_CALL(std::int8_t)
#undef TESSERA_CALL

}  // namespace tessera::inline v0::multiplication
