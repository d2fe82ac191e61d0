// Operands: do they live in one context, and apart from what is written?
#pragma once

#include <cstddef>
#include <string>

#include "tessera/matrix.hpp"

namespace tessera::inline v0::operands {

/// A place with its name and the size of its elements, for errors and for overlap.
struct NamedOperand {
  const char* name;
  const MatrixLayout& layout;
  std::size_t element_size;
};

/// Throws MatrixError for an operand that was moved from, DeviceError for one of another context
/// than `output`; the messages begin with `operation`.
void require_together(const char* operation, const NamedOperand& operand,
                      const NamedOperand& output);
/// The same, and MatrixError for an operand that has elements in common with `output`.
void require_apart(const char* operation, const NamedOperand& operand, const NamedOperand& output);

}  // namespace tessera::inline v0::operands
