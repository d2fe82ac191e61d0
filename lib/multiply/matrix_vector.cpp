// matrix_vector: argument checks, then the same path as every product.
#include "tessera/matrix_vector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "multiply/run.hpp"
#include "multiply/vector_table.hpp"
#include "operands/operands.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace {

using multiplication::Call;

/// Throws MatrixError unless `vector` is one column or one row of the `length` that `a` requires.
void require_vector(const char* name, const MatrixLayout& vector, std::size_t length,
                    const MatrixLayout& a, bool transpose) {
  if (std::min(vector.rows, vector.columns) <= 1 && vector.rows * vector.columns == length) return;
  throw MatrixError(
      ErrorCode::invalid_shape,
      fmt::format("matrix_vector: a is {} x {}{} and {} is {} x {}: no vector of {} elements",
                  a.rows, a.columns, transpose ? " transposed" : "", name, vector.rows,
                  vector.columns, length));
}

/// A vector as a one-column matrix.
operands::Operand column_of(const MatrixLayout& vector) {
  const std::size_t step = vector.columns == 1 && vector.rows > 1 ? vector.leading_dimension : 1;
  return {vector.memory.get(), {vector.offset, step, 1}};
}

template <VectorElement T>
Call make_call(const MatrixView<T>& y, const ConstMatrixView<T>& a, const ConstMatrixView<T>& x,
               const MatrixVectorOptions<T>& options) {
  const MatrixLayout &at_a = a.layout(), &at_x = x.layout(), &at_y = y.layout();
  auto [m, k] = std::pair(a.rows(), a.columns());
  if (options.transpose) std::swap(m, k);
  require_vector("x", at_x, k, at_a, options.transpose);
  require_vector("y", at_y, m, at_a, options.transpose);
  const operands::NamedOperand output{"y", at_y, sizeof(T)};
  operands::require_apart("matrix_vector", {"a", at_a, sizeof(T)}, output);
  operands::require_apart("matrix_vector", {"x", at_x, sizeof(T)}, output);
  // An empty sum is not scaled by alpha, even if alpha is not finite.
  if (options.alpha == 0) k = 0;
  const Scalar<T> alpha = k == 0 ? 0 : options.alpha;
  return {{.operation = multiplication::matrix_vector_table().operation().name,
           .type = operands::kElementType<T>,
           .m = m,
           .n = 1,
           .k = k,
           .transpose_a = options.transpose,
           .leading_dimensions = {operands::stride_of(at_a)},
           .alpha = static_cast<double>(alpha),
           .beta = static_cast<double>(options.beta)},
          {m, 1, k},
          runtime::value_of(alpha),
          runtime::value_of(options.beta),
          operands::operand_of(at_a, options.transpose),
          column_of(at_x),
          column_of(at_y)};
}

}  // namespace

template <class T>
KernelRun detail::matrix_vector_into(const MatrixView<T>& y, const ConstMatrixView<T>& a,
                                     const ConstMatrixView<T>& x,
                                     const MatrixVectorOptions<T>& options) {
  const Call call = make_call(y, a, x, options);
  return runtime::with_opencl_errors(
      [&] {
        return multiplication::run(
            multiplication::matrix_vector_table(),
            runtime::stream_for("matrix_vector", options.stream, *y.layout().stream), call,
            options.kernel, options.wait_for);
      },
      [] { return std::string("matrix_vector"); });
}

template <class T>
Product<T> detail::matrix_vector(const ConstMatrixView<T>& a, const ConstMatrixView<T>& x,
                                 const MatrixVectorOptions<T>& options) {
  if (options.beta != 0)
    throw ArgumentError(
        ErrorCode::conflicting_options,
        "matrix_vector: beta is not 0, but there is no y to add; see matrix_vector_into");
  if (a.layout().memory == nullptr)
    throw MatrixError(ErrorCode::moved_from, "matrix_vector: a was moved from");
  Matrix<T> y(options.stream.value_or(a.stream()), options.transpose ? a.columns() : a.rows(), 1);
  auto ran = matrix_vector_into(y.view(), a, x, options);
  return {std::move(y), std::move(ran)};
}

#define TESSERA_MATRIX_VECTOR(T)                                                                  \
  template KernelRun detail::matrix_vector_into(const MatrixView<T>&, const ConstMatrixView<T>&,  \
                                                const ConstMatrixView<T>&,                        \
                                                const MatrixVectorOptions<T>&);                   \
  template Product<T> detail::matrix_vector(const ConstMatrixView<T>&, const ConstMatrixView<T>&, \
                                            const MatrixVectorOptions<T>&);
TESSERA_MATRIX_VECTOR(float)
TESSERA_MATRIX_VECTOR(double)
TESSERA_MATRIX_VECTOR(std::int32_t)
TESSERA_MATRIX_VECTOR(half)
#undef TESSERA_MATRIX_VECTOR

}  // namespace tessera::inline v0
