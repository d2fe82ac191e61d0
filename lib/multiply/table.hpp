// The multiply operation: its table of variants.
#pragma once

#include "kernels/table.hpp"
#include "multiply/call.hpp"

namespace tessera::inline v0::multiplication {

/// A row of the table. `enqueue` is never given an empty product.
using MultiplyVariant = kernels::Row<Call>;

const kernels::Table<Call>& multiply_table();

}  // namespace tessera::inline v0::multiplication
