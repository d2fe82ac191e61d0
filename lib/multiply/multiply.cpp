// multiply: checks, a plan, the commands.
#include "tessera/multiply.hpp"

#include <fmt/format.h>

#include <utility>

#include "kernels/plan.hpp"
#include "multiply/problem.hpp"
#include "multiply/variants.hpp"
#include "runtime/log.hpp"
#include "runtime/submission.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace {

using kernels::Plan;
using multiplication::Problem;

void log_run(const Problem& problem, const Plan& plan) {
  if (!runtime::log_wanted()) return;
  const auto& [m, n, k] = problem.shape;
  runtime::log(fmt::format("multiply {} x {} x {} {}: {} {} ({})", m, n, k, name(problem.type),
                           plan.variant->name, kernels::text_of(plan.parameters), plan.reason));
}

kernels::Extent extent_of(const Problem& problem) {
  const auto& [m, n, k] = problem.shape;
  return {m, n, k, problem.a.at.column != 1, problem.b.at.column != 1};
}

KernelRun run(runtime::Stream& stream, const Problem& problem, const KernelChoice& kernel,
              const std::vector<Event>& wait_for) {
  const auto& table = multiplication::multiply_table();
  const auto plan =
      kernels::plan(stream, table.operation(), problem.type, kernel, extent_of(problem));
  log_run(problem, *plan);
  runtime::Submission submission(stream,
                                 {{problem.a.memory, runtime::Access::read},
                                  {problem.b.memory, runtime::Access::read},
                                  {problem.c.memory, runtime::Access::write}},
                                 wait_for);
  if (problem.shape.m != 0 && problem.shape.n != 0) table.enqueue(*plan, problem, submission);
  auto [started, finished] = submission.finish();
  return {plan, std::move(started), std::move(finished)};
}

}  // namespace

template <Element T>
KernelRun multiply_into_views(const MatrixView<T>& c, const ConstMatrixView<T>& a,
                              const ConstMatrixView<T>& b, const MultiplyOptions<T>& options) {
  const Problem problem = multiplication::describe(c, a, b, options);
  return runtime::with_opencl_errors(
      [&] {
        runtime::Stream& stream =
            runtime::stream_for("multiply", options.stream, *c.layout().stream);
        return run(stream, problem, options.kernel, options.wait_for);
      },
      [] { return std::string("multiply"); });
}

template <Element T>
Product<T> multiply_views(const ConstMatrixView<T>& a, const ConstMatrixView<T>& b,
                          const MultiplyOptions<T>& options) {
  if (options.beta != 0)
    throw MatrixError("multiply: beta is not 0, but there is no c to add; see multiply_into");
  if (a.layout().memory == nullptr) throw MatrixError("multiply: a was moved from");
  const auto shape = multiplication::shape_of(a, b, options);
  Matrix<T> c(options.stream.value_or(a.stream()), shape.m, shape.n);
  auto ran = multiply_into_views<T>(c, a, b, options);
  return {std::move(c), std::move(ran)};
}

template <Element T>
KernelRun prepare_multiply(const Engine& engine, const MultiplyOptions<T>& options) {
  const T one = static_cast<T>(1);
  const Matrix<T> a(engine, {{one}}), b(engine, {{one}});
  Matrix<T> c(engine, {{one}});
  KernelRun ran = multiply_into(c, a, b, options);
  ran.finished.wait();
  return ran;
}

#define TESSERA_MULTIPLY(T)                                                                     \
  template KernelRun multiply_into_views(const MatrixView<T>&, const ConstMatrixView<T>&,       \
                                         const ConstMatrixView<T>&, const MultiplyOptions<T>&); \
  template Product<T> multiply_views(const ConstMatrixView<T>&, const ConstMatrixView<T>&,      \
                                     const MultiplyOptions<T>&);                                \
  template KernelRun prepare_multiply(const Engine&, const MultiplyOptions<T>&);
TESSERA_MULTIPLY(float)
TESSERA_MULTIPLY(double)
TESSERA_MULTIPLY(std::int32_t)
TESSERA_MULTIPLY(half)
#undef TESSERA_MULTIPLY

}  // namespace tessera::inline v0
