// Enqueues the kernel that transposes.
#include "eigen/transposed.hpp"

#include "eigen/arguments.hpp"
#include "eigen/solver_kernels.hpp"
#include "kernels/plan.hpp"
#include "operands/element.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0::eigen {

template <Real T>
Matrix<T> transposed(const ConstMatrixView<T>& a, const EigenOptions& options) {
  const std::size_t n = a.rows();
  const MatrixLayout& from = a.layout();
  Matrix<T> result(options.stream.value_or(a.stream()), n, n);
  const MatrixLayout to = result.view().layout();
  runtime::Stream& stream = runtime::stream_for("dominant_eigenpair", options.stream, *from.stream);
  const auto plan = kernels::plan(
      stream, solver_kernels(),
      {.operation = "eigenpair", .type = operands::kElementType<T>, .m = n, .n = n}, {"transpose"});
  const std::size_t tile = plan->size("TILE");
  runtime::Submission submission(
      stream,
      {{from.memory.get(), runtime::Access::read}, {to.memory.get(), runtime::Access::write}},
      options.wait_for);
  slices(n, tile, [&](std::size_t first, std::size_t rows) {
    submission.launch(plan->kernel(), {{divide_up(n, tile), divide_up(rows, tile)}, {tile, tile}},
                      cl_ulong{n}, from.memory->buffer(), Rows{from.offset, from.leading_dimension},
                      to.memory->buffer(), cl_ulong{first});
  });
  submission.finish();
  return result;
}

template Matrix<float> transposed(const ConstMatrixView<float>&, const EigenOptions&);
template Matrix<double> transposed(const ConstMatrixView<double>&, const EigenOptions&);

}  // namespace tessera::inline v0::eigen
