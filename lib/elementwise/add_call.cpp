// Builds a validated call of add from operands and options, and enqueues it.
#include "elementwise/add_call.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "operands/numbers.hpp"
#include "operands/operands.hpp"
#include "runtime/shape.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::elementwise {
namespace {

using operands::NamedOperand;

bool is_same_block(const detail::Operand& one, const detail::Operand& other) {
  return one.memory == other.memory && one.offset == other.offset &&
         one.stored_rows == other.stored_rows && one.stored_columns == other.stored_columns &&
         one.leading_dimension == other.leading_dimension && one.op == other.op;
}

/// Throws unless the operand can be added to the output's elements and is the output or apart from
/// it.
void require_term(const NamedOperand& term, const NamedOperand& output) {
  const detail::Operand &at = term.operand, &c = output.operand;
  if ((at.rows() != c.rows() && at.rows() != 1) ||
      (at.columns() != c.columns() && at.columns() != 1)) {
    throw MatrixError(
        ErrorCode::invalid_shape,
        fmt::format(
            "add: {} is {} and c is {}; expected c's shape, one row, one column or one element",
            term.name, runtime::shape_text(at.rows(), at.columns()),
            runtime::shape_text(c.rows(), c.columns())));
  }
  if (is_same_block(at, c)) return operands::require_together("add", term, output);
  operands::require_apart("add", term, output);
}

/// The operand as c's shape needs it: a stride of 0 repeats its only row or column.
operands::Operand repeated_as(const detail::Operand& term, const detail::Operand& c) {
  operands::Operand operand = operands::operand_of(term);
  if (term.rows() != c.rows()) operand.at.row = 0;
  if (term.columns() != c.columns()) operand.at.column = 0;
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

}  // namespace

Sum make_sum(const detail::Operand& c, const detail::Operand& a, const detail::Operand& b,
             const AddOptions& options) {
  if (a.type != c.type || b.type != c.type) {
    throw MatrixError(ErrorCode::wrong_type,
                      fmt::format("add: a is of {}, b of {} and c of {}; expected one type",
                                  to_string(a.type), to_string(b.type), to_string(c.type)));
  }
  const NamedOperand output{"c", c};
  operands::require_stored_order("add", output);
  require_term({"a", a}, output);
  require_term({"b", b}, output);
  const ElementType sum = ProductTypes(c.type).sum;
  const Scalar alpha = operands::factor_of("add", "alpha", options.alpha, sum),
               beta = operands::factor_of("add", "beta", options.beta, sum),
               constant = operands::factor_of("add", "constant", options.constant, sum);
  const bool reads_a = alpha != 0, reads_b = beta != 0;
  // -0 leaves every number as it is that is added to it.
  const Scalar added =
      constant == 0 && (reads_a || reads_b) ? Scalar(std::complex(-0.0, -0.0)) : constant;
  const operands::Operand of_c = operands::operand_of(c);
  AddCall call{c.rows(),
               c.columns(),
               operands::value_of(alpha, sum),
               operands::value_of(beta, sum),
               operands::value_of(added, sum),
               reads_a ? repeated_as(a, c) : of_c,
               reads_b ? repeated_as(b, c) : of_c,
               of_c};
  std::vector<runtime::Operand> memory = {{of_c.memory, runtime::Access::write}};
  if (reads_a) memory.push_back({call.a.memory, runtime::Access::read});
  if (reads_b) memory.push_back({call.b.memory, runtime::Access::read});
  Problem problem{.operation = "add",
                  .types = c.type,
                  .m = c.rows(),
                  .n = c.columns(),
                  .op_a = a.op,
                  .op_b = b.op,
                  .leading_dimensions = {operands::stride_of(a), operands::stride_of(b),
                                         operands::stride_of(c)},
                  .alpha = alpha,
                  .beta = beta};
  return {std::move(problem), by_long_rows(call), std::move(memory)};
}

KernelRun run_plan(const kernels::SharedPlan& plan, runtime::Stream& stream, const Sum& sum,
                   const std::vector<Event>& wait_for) {
  runtime::Submission submission(stream, sum.memory, wait_for);
  if (!sum.is_empty()) kernels::enqueue(*plan, sum.call, submission);
  return kernels::finish(submission, plan);
}

}  // namespace tessera::inline v0::elementwise
