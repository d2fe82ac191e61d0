// The add operation: its table of variants.
#pragma once

#include <cstddef>

#include "kernels/table.hpp"
#include "operands/product.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::elementwise {

/// c = alpha * a + beta * b + constant; rows, columns > 0. A stride of 0 repeats a row or a column.
struct AddCall {
  std::size_t rows, columns;
  runtime::Value alpha, beta, constant;
  operands::Operand a, b, c;
};

const kernels::Table<AddCall>& add_table();

}  // namespace tessera::inline v0::elementwise
