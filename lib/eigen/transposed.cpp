// Enqueues the kernel that transposes, once it has transposed a small matrix right.
#include "eigen/transposed.hpp"

#include <fmt/format.h>

#include <numeric>
#include <string>
#include <vector>

#include "eigen/arguments.hpp"
#include "eigen/plans_seen.hpp"
#include "eigen/solver_kernels.hpp"
#include "eigen/solver_plans.hpp"
#include "kernels/planner.hpp"
#include "kernels/self_check.hpp"
#include "operands/numbers.hpp"
#include "runtime/stream.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {
namespace {

struct TransposedRight {};

SharedPlan transposing_plan(runtime::Stream& stream, ElementType type, std::size_t n) {
  return kernels::plan(stream, solver_kernels(),
                       {.operation = "eigenpair", .types = type, .m = n, .n = n}, {"transpose"});
}

detail::Operand transposed_by(const kernels::Plan& plan, const detail::Operand& from,
                              const EigenOptions& options) {
  const std::size_t n = from.rows();
  auto to = detail::allocate(options.stream.value_or(detail::stream_of(from)), from.type, n, n);
  runtime::Stream& stream = runtime::stream_for("dominant_eigenpair", options.stream, *from.stream);
  const std::size_t tile = plan.size("TILE");
  runtime::Submission submission(
      stream,
      {{from.memory.get(), runtime::Access::read}, {to.memory.get(), runtime::Access::write}},
      options.wait_for);
  slices(n, tile, [&](std::size_t first, std::size_t rows) {
    submission.launch(plan.kernel(), {{divide_up(n, tile), divide_up(rows, tile)}, {tile, tile}},
                      cl_ulong{n}, from.memory->buffer(), Rows{from.offset, from.leading_dimension},
                      to.memory->buffer(), cl_ulong{first});
  });
  submission.finish();
  return to;
}

/// Transposes a block of a small matrix, and compares every element. Empty if nothing is wrong.
std::string wrong_transposition(runtime::Stream& stream, const kernels::Plan& plan,
                                ElementType type) {
  constexpr std::size_t kColumns = 140, kTop = 3, kLeft = 5, kSize = 131;
  std::vector<double> elements((kTop + kSize) * kColumns);
  std::iota(elements.begin(), elements.end(), 0);  // exact in float
  const auto a = operands::matrix_of(kernels::engine_apart(stream).stream(), type, kTop + kSize,
                                     kColumns, elements);
  const auto result =
      operands::numbers_of(transposed_by(plan, detail::block(a, kTop, kLeft, kSize, kSize), {}));
  for (std::size_t i = 0; i < kSize; i++) {
    for (std::size_t j = 0; j < kSize; j++) {
      const double right = elements[(kTop + j) * kColumns + kLeft + i];
      if (result[i * kSize + j] != right)
        return fmt::format("element ({}, {}) is {} instead of {}", i, j, result[i * kSize + j],
                           right);
    }
  }
  return {};
}

}  // namespace

detail::Operand transposed(const detail::Operand& a, const EigenOptions& options) {
  runtime::Stream& stream = runtime::stream_for("dominant_eigenpair", options.stream, *a.stream);
  const auto plan = transposing_plan(stream, a.type, a.rows());
  auto& seen = stream.context().extension<PlansSeen<TransposedRight>>();
  if (!seen.contains({{plan}, options.method, options.stop})) {
    const auto wrong =
        kernels::check_once(stream, "a transposition", plan->program->identity(),
                            [&] { return wrong_transposition(stream, *plan, a.type); });
    if (!wrong.empty()) {
      throw UnsupportedError("dominant_eigenpair",
                             fmt::format("a small transposition came out wrong on {}: {}",
                                         stream.context().device().info.name, wrong),
                             ErrorCode::failed_check);
    }
    seen.add({{plan}, options.method, options.stop});
  }
  return transposed_by(*plan, a, options);
}

}  // namespace tessera::inline v0::eigen
