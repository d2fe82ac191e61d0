// multiply: argument checks, the plan and the commands.
#include "tessera/multiply.hpp"

#include <fmt/format.h>

#include <utility>

#include "multiply/as_real.hpp"
#include "multiply/call.hpp"
#include "multiply/run.hpp"
#include "multiply/table.hpp"
#include "multiply/vector_table.hpp"
#include "runtime/capabilities.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/stream.hpp"
#include "tessera/error.hpp"
#include "tessera/multiply_batched.hpp"

namespace tessera::inline v0::detail {

using multiplication::Call;

KernelRun multiply_batched_into(const Batch& c, const Batch& a, const Batch& b,
                                const MultiplyOptions& options) {
  const Call call = multiplication::make_call(c, a, b, options);
  return runtime::with_opencl_errors(
      [&] {
        runtime::Stream& stream = runtime::stream_for("multiply", options.stream, *c.first.stream);
        if (options.kernel == KernelChoice{}) {
          if (const auto vector = multiplication::as_matrix_vector(call))
            return multiplication::run(multiplication::matrix_vector_table(), stream, *vector, {},
                                       options.wait_for);
          if (multiplication::runs_as_real(call.problem, runtime::capabilities(stream)))
            return multiplication::run_as_real(multiplication::multiply_table(), stream, call,
                                               options.wait_for);
        }
        return multiplication::run(multiplication::multiply_table(), stream, call, options.kernel,
                                   options.wait_for);
      },
      [] { return std::string("multiply"); });
}

KernelRun multiply_into(const Operand& c, const Operand& a, const Operand& b,
                        const MultiplyOptions& options) {
  return multiply_batched_into({c}, {a}, {b}, options);
}

OperandAndRun multiply_batched(ElementType result, const Batch& a, const Batch& b,
                               const MultiplyOptions& options) {
  if (options.beta != 0)
    throw ArgumentError(ErrorCode::conflicting_options,
                        "multiply: beta is not 0, but there is no c to add; see multiply_into");
  if (a.first.memory == nullptr)
    throw MatrixError(ErrorCode::moved_from,
                      "multiply: a has no memory: it is default-constructed or was moved from");
  const auto shape =
      a.count == 0 ? multiplication::Shape{0, 0, 0} : multiplication::shape_of(a.first, b.first);
  const Stream stream = options.stream ? *options.stream : stream_of(a.first);
  Operand c = allocate(stream, result, a.count * shape.m, shape.n);
  const Batch blocks{block(c, 0, 0, a.count == 0 ? 0 : shape.m, shape.n), a.count,
                     a.count > 1 ? shape.m * shape.n : 0};
  auto ran = multiply_batched_into(blocks, a, b, options);
  return {std::move(c), std::move(ran)};
}

OperandAndRun multiply(ElementType result, const Operand& a, const Operand& b,
                       const MultiplyOptions& options) {
  return multiply_batched(result, {a}, {b}, options);
}

}  // namespace tessera::inline v0::detail
