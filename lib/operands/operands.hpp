// Operands: requirements on their contexts and their memory.
#pragma once

#include <cstddef>
#include <string>

#include "tessera/matrix.hpp"

namespace tessera::inline v0::operands {

/// An operand with its name, for error messages and overlap tests.
struct NamedOperand {
  const char* name;
  const detail::Operand& operand;
  bool has_gaps = false;  ///< the operand encloses a batch's matrices and the gaps between them
};

/// Throws MatrixError for an operand that was moved from and for an output that kernels may only
/// read, ArgumentError for an operand in a different context from `output`; the messages begin with
/// `operation`.
void require_together(const char* operation, const NamedOperand& operand,
                      const NamedOperand& output);
/// The same, and MatrixError for an operand that has elements in common with `output`.
void require_apart(const char* operation, const NamedOperand& operand, const NamedOperand& output);

/// Throws MatrixError for a transposed or conjugated view.
void require_stored_order(const char* operation, const NamedOperand& operand);

}  // namespace tessera::inline v0::operands
