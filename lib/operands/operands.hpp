// Operands: are they in one context, and disjoint from the output?
#pragma once

#include <cstddef>
#include <string>

#include "tessera/matrix.hpp"

namespace tessera::inline v0::operands {

/// A layout with its name and element size, for error messages and overlap tests.
struct NamedOperand {
  const char* name;
  const MatrixLayout& layout;
  std::size_t element_size;
  bool has_gaps = false;  ///< the layout encloses matrices of a batch and what lies between them
};

/// Throws MatrixError for an operand that was moved from and for an output that kernels may only
/// read, ArgumentError for an operand in a different context from `output`; the messages begin with
/// `operation`.
void require_together(const char* operation, const NamedOperand& operand,
                      const NamedOperand& output);
/// The same, and MatrixError for an operand whose layout has elements in common with `output`'s.
void require_apart(const char* operation, const NamedOperand& operand, const NamedOperand& output);

}  // namespace tessera::inline v0::operands
