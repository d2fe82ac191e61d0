// matrix_vector: argument checks, then the same path as every product.
#include "tessera/matrix_vector.hpp"

#include <utility>

#include "multiply/run.hpp"
#include "multiply/vector_call.hpp"
#include "multiply/vector_table.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {

KernelRun detail::matrix_vector_into(const Operand& y, const Operand& a, const Operand& x,
                                     const MultiplyOptions& options) {
  const multiplication::Call call = multiplication::make_vector_call(y, a, x, options);
  return runtime::with_opencl_errors(
      [&] {
        return multiplication::run(multiplication::matrix_vector_table(),
                                   runtime::stream_for("matrix_vector", options.stream, *y.stream),
                                   call, options.kernel, options.wait_for);
      },
      [] { return std::string("matrix_vector"); });
}

detail::OperandAndRun detail::matrix_vector(const Operand& a, const Operand& x,
                                            const MultiplyOptions& options) {
  if (options.beta != 0)
    throw ArgumentError(
        ErrorCode::conflicting_options,
        "matrix_vector: beta is not 0, but there is no y to add; see matrix_vector_into");
  if (a.memory == nullptr)
    throw MatrixError(
        ErrorCode::moved_from,
        "matrix_vector: a has no memory: it is default-constructed or was moved from");
  const Stream stream = options.stream ? *options.stream : stream_of(a);
  Operand y = allocate(stream, a.type, a.rows(), 1);
  auto ran = matrix_vector_into(y, a, x, options);
  return {std::move(y), std::move(ran)};
}

}  // namespace tessera::inline v0
