// Builds a validated call of matrix_vector from operands and options.
#include "multiply/vector_call.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "operands/numbers.hpp"
#include "operands/operands.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using detail::Operand;

/// Throws MatrixError unless `vector` is one column or one row of the `length` that `a` requires.
void require_vector(const char* name, const Operand& vector, std::size_t length, const Operand& a) {
  if (std::min(vector.rows(), vector.columns()) <= 1 && vector.rows() * vector.columns() == length)
    return;
  throw MatrixError(
      ErrorCode::invalid_shape,
      fmt::format("matrix_vector: a is {} x {}{} and {} is {} x {}: no vector of {} elements",
                  a.stored_rows, a.stored_columns, is_transposed(a.op) ? " transposed" : "", name,
                  vector.rows(), vector.columns(), length));
}

/// A vector as a one-column matrix.
operands::Operand column_of(const Operand& vector) {
  const bool is_column = vector.stored_columns == 1 && vector.stored_rows > 1;
  return {vector.memory.get(), {vector.offset, is_column ? vector.leading_dimension : 1, 1}};
}

void require_types(const Operand& y, const Operand& a, const Operand& x) {
  if (x.type != a.type || y.type != a.type) {
    throw MatrixError(
        ErrorCode::wrong_type,
        fmt::format("matrix_vector: a is of {}, x of {} and y of {}; expected one type",
                    to_string(a.type), to_string(x.type), to_string(y.type)));
  }
  if (a.type == ElementType::int8)
    throw UnsupportedError("matrix_vector", fmt::format("it is not for {}", to_string(a.type)));
}

void require_not_conjugated(const Operand& y) {
  Operand column = y;
  column.op = op_if(false, is_conjugated(y.op));
  operands::require_stored_order("matrix_vector", {"y", column});
}

}  // namespace

Call make_vector_call(const Operand& y, const Operand& a, const Operand& x,
                      const MultiplyOptions& options) {
  require_types(y, a, x);
  const std::size_t m = a.rows();
  std::size_t k = a.columns();
  require_vector("x", x, k, a);
  require_vector("y", y, m, a);
  require_not_conjugated(y);
  operands::require_apart("matrix_vector", {"a", a}, {"y", y});
  operands::require_apart("matrix_vector", {"x", x}, {"y", y});
  const ProductTypes types(a.type);
  Scalar alpha = operands::factor_of("matrix_vector", "alpha", options.alpha, types.sum);
  const Scalar beta = operands::factor_of("matrix_vector", "beta", options.beta, types.sum);
  // An empty sum is not scaled by alpha, even if alpha is not finite.
  if (alpha == 0) k = 0;
  if (k == 0) alpha = 0;
  return {{.operation = "matrix_vector",
           .types = types,
           .m = m,
           .n = 1,
           .k = k,
           .op_a = a.op,
           .op_b = op_if(false, is_conjugated(x.op)),
           .leading_dimensions = {operands::stride_of(a)},
           .alpha = alpha,
           .beta = beta},
          {m, 1, k},
          operands::value_of(alpha, types.sum),
          operands::value_of(beta, types.sum),
          operands::operand_of(a),
          column_of(x),
          column_of(y)};
}

}  // namespace tessera::inline v0::multiplication
