// Builds a validated call from views and options.
#include "multiply/call.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "operands/numbers.hpp"
#include "operands/operands.hpp"
#include "operands/overlap.hpp"
#include "runtime/memory.hpp"
#include "runtime/opencl_error.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::NamedOperand;

bool is_several(const detail::Batch& batch) {
  return batch.count > 1 && batch.first.stored_rows > 0 && batch.first.stored_columns > 0;
}

/// One matrix that encloses all matrices of a batch: whatever does not overlap it overlaps none of
/// them. It is in `made` unless the batch has one matrix.
NamedOperand hull(const char* name, const detail::Batch& batch, detail::Operand& made) {
  if (batch.count == 1) return {name, batch.first};
  made = batch.first;
  if (batch.count == 0) made.stored_rows = 0;
  if (!is_several(batch) || batch.stride == 0) return {name, made};
  if (batch.stride == made.stored_rows * made.leading_dimension) {
    made.stored_rows *= batch.count;
    return {name, made};
  }
  // A single row that spans the first element to the last.
  made.stored_columns +=
      (batch.count - 1) * batch.stride + (made.stored_rows - 1) * made.leading_dimension;
  made.leading_dimension = made.stored_columns;
  made.stored_rows = 1;
  return {name, made, true};
}

/// Throws MatrixError unless all matrices of a batch are inside the memory of the first.
void require_inside(const char* name, const detail::Batch& batch) {
  const detail::Operand& first = batch.first;
  if (!is_several(batch) || batch.stride == 0 || first.memory == nullptr) return;
  const std::size_t bytes =
      runtime::with_opencl_errors([&] { return first.memory->buffer().getInfo<CL_MEM_SIZE>(); },
                                  [] { return std::string("checking a batch"); });
  const std::size_t behind =
      bytes / element_size(first.type) -
      (first.offset + (first.stored_rows - 1) * first.leading_dimension + first.stored_columns);
  if (batch.stride <= behind / (batch.count - 1)) return;
  throw MatrixError(
      ErrorCode::out_of_bounds,
      fmt::format("multiply: {} matrices {} elements apart are not all inside the memory of {}",
                  batch.count, batch.stride, name));
}

void require_disjoint(const detail::Batch& output) {
  if (!is_several(output)) return;
  const std::size_t pitch = output.first.leading_dimension;
  const operands::Rows first{0, output.first.stored_rows, output.first.stored_columns, pitch};
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

/// "3 x 4 transposed": the shape as it is stored.
std::string stored_shape(const detail::Operand& operand) {
  return fmt::format("{} x {}{}", operand.stored_rows, operand.stored_columns,
                     is_transposed(operand.op) ? " transposed" : "");
}

Shape shape_of_batch(const detail::Batch& c, const detail::Batch& a, const detail::Batch& b) {
  if (a.count != c.count || b.count != c.count) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("multiply: a has {} matrices, b has {} and c has {}", a.count,
                                  b.count, c.count));
  }
  if (c.count == 0) return {0, 0, 0};  // an empty batch has no shape
  const Shape shape = shape_of(a.first, b.first);
  if (c.first.rows() != shape.m || c.first.columns() != shape.n) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("multiply: the product is {} x {} and c is {} x {}", shape.m,
                                  shape.n, c.first.rows(), c.first.columns()));
  }
  return shape;
}

ProductTypes types_of(const detail::Operand& c, const detail::Operand& a,
                      const detail::Operand& b) {
  const ProductTypes types(a.type, c.type);
  if (b.type == a.type && is_product(types)) return types;
  throw MatrixError(
      ErrorCode::wrong_type,
      fmt::format("multiply: a is of {}, b of {} and c of {}: there is no such product",
                  to_string(a.type), to_string(b.type), to_string(c.type)));
}

}  // namespace

Shape shape_of(const detail::Operand& a, const detail::Operand& b) {
  if (a.columns() != b.rows()) {
    throw MatrixError(
        ErrorCode::invalid_shape,
        fmt::format("multiply: a is {} and b is {}: the inner dimensions {} and {} differ",
                    stored_shape(a), stored_shape(b), a.columns(), b.rows()));
  }
  return {a.rows(), b.columns(), a.columns()};
}

Call make_call(const detail::Batch& c, const detail::Batch& a, const detail::Batch& b,
               const MultiplyOptions& options) {
  const ProductTypes types = types_of(c.first, a.first, b.first);
  Shape shape = shape_of_batch(c, a, b);
  require_inside("a", a);
  require_inside("b", b);
  require_inside("c", c);
  require_disjoint(c);
  detail::Operand made_a, made_b, made_c;
  const NamedOperand output = hull("c", c, made_c);
  operands::require_stored_order("multiply", output);
  operands::require_apart("multiply", hull("a", a, made_a), output);
  operands::require_apart("multiply", hull("b", b, made_b), output);
  Scalar alpha = operands::factor_of("multiply", "alpha", options.alpha, types.sum);
  const Scalar beta = operands::factor_of("multiply", "beta", options.beta, types.sum);
  // An empty sum is not scaled by alpha, even if alpha is not finite.
  if (alpha == 0) shape.k = 0;
  if (shape.k == 0) alpha = 0;
  return {{.operation = "multiply",
           .types = types,
           .m = shape.m,
           .n = shape.n,
           .k = shape.k,
           .batch = c.count,
           .op_a = a.first.op,
           .op_b = b.first.op,
           .leading_dimensions = {operands::stride_of(a.first), operands::stride_of(b.first),
                                  operands::stride_of(c.first)},
           .batch_strides = {a.stride, b.stride, c.stride},
           .offsets = {operands::unaligned_part(a.first.offset, a.first.type),
                       operands::unaligned_part(b.first.offset, b.first.type),
                       operands::unaligned_part(c.first.offset, c.first.type)},
           .alpha = alpha,
           .beta = beta,
           .mode = {.accuracy = options.accuracy}},
          shape,
          operands::value_of(alpha, types.sum),
          operands::value_of(beta, types.sum),
          operands::operand_of(a.first, a.stride),
          operands::operand_of(b.first, b.stride),
          operands::operand_of(c.first, c.stride)};
}

}  // namespace tessera::inline v0::multiplication
