// Reference products on the host, and the bound that a device's result has to meet.
#pragma once

#include <cstddef>

#include "operands/numbers.hpp"
#include "tessera/verify.hpp"

namespace tessera::inline v0::reference {

/// C = alpha * op(A) * op(B) + beta * C on the host, row-major; `before` is not read if beta is 0.
/// The elements, or their parts, may be stored as any type that holds the elements of `types`.
struct Product {
  ProductTypes types;
  std::size_t rows, columns, k;
  operands::Elements a, b, before, c;
  Op op_a = Op::none, op_b = Op::none;
  /// The kernel's sums of products are exact: only the scaling by alpha and beta, and storing, may
  /// round.
  bool has_exact_sums = false;
};

/// Compares c with alpha * a * b + beta * before, where alpha and beta are rounded as the operation
/// rounds them.
Verification verify(const Product& product, const MultiplyOptions& options,
                    const VerifySample& sample = {});

}  // namespace tessera::inline v0::reference
