// add: argument checks, the plan and the commands.
#include "tessera/add.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elementwise/table.hpp"
#include "kernels/plan.hpp"
#include "operands/element.hpp"
#include "operands/operands.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/shape.hpp"
#include "runtime/stream.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace {

using elementwise::AddCall;
using operands::NamedOperand;

bool is_same_block(const MatrixLayout& one, const MatrixLayout& other) {
  return one.memory == other.memory && one.offset == other.offset && one.rows == other.rows &&
         one.columns == other.columns && one.leading_dimension == other.leading_dimension;
}

/// Throws unless the operand can be added to the output's elements and is the output or apart from
/// it.
void require_term(const NamedOperand& term, const NamedOperand& output) {
  const MatrixLayout &at = term.layout, &c = output.layout;
  if ((at.rows != c.rows && at.rows != 1) || (at.columns != c.columns && at.columns != 1)) {
    throw MatrixError(
        ErrorCode::invalid_shape,
        fmt::format(
            "add: {} is {} and c is {}; expected c's shape, one row, one column or one element",
            term.name, runtime::shape_text(at.rows, at.columns),
            runtime::shape_text(c.rows, c.columns)));
  }
  if (is_same_block(at, c)) return operands::require_together("add", term, output);
  operands::require_apart("add", term, output);
}

/// The operand as c's shape needs it: a stride of 0 repeats its only row or column.
operands::Operand repeated_as(const MatrixLayout& term, const MatrixLayout& c) {
  operands::Operand operand = operands::operand_of(term, false);
  if (term.rows != c.rows) operand.at.row = 0;
  if (term.columns != c.columns) operand.at.column = 0;
  return operand;
}

/// The same sum in long rows, along which the work-items of a work-group are.
AddCall by_long_rows(AddCall call) {
  constexpr std::size_t kShort = 16;
  const std::array all = {&call.a, &call.b, &call.c};
  bool is_one_row = true;
  for (const operands::Operand* operand : all)
    is_one_row &= operand->at.row == call.columns * operand->at.column;
  if (is_one_row) {
    call.columns *= std::exchange(call.rows, 1);
  } else if (call.columns < kShort && call.columns < call.rows) {
    std::swap(call.rows, call.columns);
    for (operands::Operand* operand : all) std::swap(operand->at.row, operand->at.column);
  }
  return call;
}

KernelRun run(const AddCall& call, const Problem& problem, const KernelChoice& kernel,
              runtime::Stream& stream, std::vector<runtime::Operand> memory,
              const std::vector<Event>& wait_for) {
  const auto& table = elementwise::add_table();
  std::shared_ptr<const kernels::Plan> plan;
  if (call.rows > 0 && call.columns > 0) {
    plan = kernels::plan(stream, table.operation(), problem, kernel);
    kernels::log_plan(table.operation(), problem, *plan);
  } else {
    kernels::check_choice(stream, table.operation(), problem, kernel);
  }
  runtime::Submission submission(stream, std::move(memory), wait_for);
  if (plan) table.enqueue(*plan, by_long_rows(call), submission);
  auto [started, finished] = submission.finish();
  return {plan, std::move(started), std::move(finished)};
}

}  // namespace

template <class T>
KernelRun detail::add_into(const MatrixView<T>& c, const ConstMatrixView<T>& a,
                           const ConstMatrixView<T>& b, const AddOptions<T>& options) {
  const MatrixLayout &at_a = a.layout(), &at_b = b.layout(), &at_c = c.layout();
  const NamedOperand output{"c", at_c, sizeof(T)};
  require_term({"a", at_a, sizeof(T)}, output);
  require_term({"b", at_b, sizeof(T)}, output);
  const bool reads_a = options.alpha != 0, reads_b = options.beta != 0;
  // -0 leaves every number as it is that is added to it.
  const Scalar<T> constant = options.constant == 0 && (reads_a || reads_b)
                                 ? static_cast<Scalar<T>>(-0.0)
                                 : options.constant;
  const operands::Operand of_c = operands::operand_of(at_c, false);
  const AddCall call{at_c.rows,
                     at_c.columns,
                     runtime::value_of(options.alpha),
                     runtime::value_of(options.beta),
                     runtime::value_of(constant),
                     reads_a ? repeated_as(at_a, at_c) : of_c,
                     reads_b ? repeated_as(at_b, at_c) : of_c,
                     of_c};
  std::vector<runtime::Operand> memory = {{of_c.memory, runtime::Access::write}};
  if (reads_a) memory.push_back({call.a.memory, runtime::Access::read});
  if (reads_b) memory.push_back({call.b.memory, runtime::Access::read});
  const Problem problem{.operation = elementwise::add_table().operation().name,
                        .type = operands::kElementType<T>,
                        .m = at_c.rows,
                        .n = at_c.columns,
                        .leading_dimensions = {operands::stride_of(at_a), operands::stride_of(at_b),
                                               operands::stride_of(at_c)},
                        .alpha = static_cast<double>(options.alpha),
                        .beta = static_cast<double>(options.beta)};
  return runtime::with_opencl_errors(
      [&] {
        return run(call, problem, options.kernel,
                   runtime::stream_for("add", options.stream, *at_c.stream), std::move(memory),
                   options.wait_for);
      },
      [] { return std::string("add"); });
}

template <class T>
Matrix<T> detail::add(const ConstMatrixView<T>& a, const ConstMatrixView<T>& b,
                      const AddOptions<T>& options) {
  Matrix<T> c(options.stream.value_or(a.stream()), a.rows() == 1 ? b.rows() : a.rows(),
              a.columns() == 1 ? b.columns() : a.columns());
  detail::add_into<T>(c, a, b, options);
  return c;
}

#define TESSERA_ADD(T)                                                                  \
  template KernelRun detail::add_into(const MatrixView<T>&, const ConstMatrixView<T>&,  \
                                      const ConstMatrixView<T>&, const AddOptions<T>&); \
  template Matrix<T> detail::add(const ConstMatrixView<T>&, const ConstMatrixView<T>&,  \
                                 const AddOptions<T>&);
TESSERA_ADD(float)
TESSERA_ADD(double)
TESSERA_ADD(std::int32_t)
TESSERA_ADD(half)
#undef TESSERA_ADD

}  // namespace tessera::inline v0
