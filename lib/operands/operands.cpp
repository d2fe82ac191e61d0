// What the operands of one call must have in common, and what they must not.
#include "operands/operands.hpp"

#include <fmt/format.h>

#include "operands/overlap.hpp"
#include "runtime/memory.hpp"
#include "runtime/stream.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::operands {
namespace {

/// The bytes of a view in the buffer that all its sub-buffers share.
Rows bytes_of(const NamedOperand& named) {
  const MatrixLayout& layout = named.layout;
  const std::size_t size = named.element_size;
  return {layout.memory->origin() + layout.offset * size, layout.rows, layout.columns * size,
          layout.leading_dimension * size};
}

}  // namespace

void require_together(const char* operation, const NamedOperand& operand,
                      const NamedOperand& output) {
  for (const NamedOperand* named : {&output, &operand}) {
    if (named->layout.memory == nullptr)
      throw MatrixError(ErrorCode::moved_from,
                        fmt::format("{}: {} was moved from", operation, named->name));
  }
  if (output.layout.memory->read_only()) {
    throw MatrixError(ErrorCode::unsupported_buffer,
                      fmt::format("{}: the buffer of {} was created for kernels that only read it",
                                  operation, output.name));
  }
  const auto& here = operand.layout.stream->context();
  const auto& there = output.layout.stream->context();
  if (&here != &there) {
    throw ArgumentError(
        ErrorCode::wrong_context,
        fmt::format("{}: {} is on {} and {} on {}, in different contexts; copy_to() moves a matrix",
                    operation, operand.name, here.device().info.name, output.name,
                    there.device().info.name));
  }
}

void require_apart(const char* operation, const NamedOperand& operand, const NamedOperand& output) {
  require_together(operation, operand, output);
  if (operand.layout.memory->root() == output.layout.memory->root() &&
      overlap(bytes_of(operand), bytes_of(output))) {
    if (operand.has_gaps || output.has_gaps) {
      throw MatrixError(
          ErrorCode::overlapping,
          fmt::format("{}: {} and {} have elements in common, or one lies between the matrices of "
                      "the other; "
                      "expected all of {} before or behind all of {}",
                      operation, output.name, operand.name, operand.name, output.name));
    }
    throw MatrixError(ErrorCode::overlapping, fmt::format("{}: {} and {} have elements in common",
                                                          operation, output.name, operand.name));
  }
}

}  // namespace tessera::inline v0::operands
