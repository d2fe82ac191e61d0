// Call of add: a sum in the form its kernels take it, c = alpha * a + beta * b + constant.
#pragma once

#include <vector>

#include "kernels/table.hpp"
#include "operands/product.hpp"
#include "runtime/submission.hpp"
#include "tessera/add.hpp"

namespace tessera::inline v0::elementwise {

/// Kernels get rows, columns > 0. A stride of 0 repeats the operand's only row or column.
struct AddCall {
  std::size_t rows, columns;
  runtime::Value alpha, beta, constant;
  operands::Operand a, b, c;
};

/// A call with its problem, and the memory that it reads and writes.
struct Sum {
  Problem problem;
  AddCall call;
  std::vector<runtime::Operand> memory;

  bool is_empty() const { return call.rows == 0 || call.columns == 0; }
};

/// Checks shapes, types, contexts and overlap; throws MatrixError and ArgumentError.
Sum make_sum(const detail::Operand& c, const detail::Operand& a, const detail::Operand& b,
             const AddOptions& options);

/// Enqueues the sum by a plan that was made for such sums; null for an empty one.
KernelRun run_plan(const kernels::SharedPlan& plan, runtime::Stream& stream, const Sum& sum,
                   const std::vector<Event>& wait_for = {});

}  // namespace tessera::inline v0::elementwise
