// Checks of the operands of one call: contexts, memory that may be written, overlap.
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
  const detail::Operand& of = named.operand;
  const std::size_t size = element_size(of.type);
  return {of.memory->origin() + of.offset * size, of.stored_rows, of.stored_columns * size,
          of.leading_dimension * size};
}

}  // namespace

void require_together(const char* operation, const NamedOperand& operand,
                      const NamedOperand& output) {
  for (const NamedOperand* named : {&output, &operand}) {
    if (named->operand.memory == nullptr) {
      throw MatrixError(
          ErrorCode::moved_from,
          fmt::format("{}: {} has no memory: it is default-constructed or was moved from",
                      operation, named->name));
    }
  }
  if (output.operand.memory->read_only()) {
    throw MatrixError(ErrorCode::unsupported_buffer,
                      fmt::format("{}: the buffer of {} was created for kernels that only read it",
                                  operation, output.name));
  }
  const auto& here = operand.operand.stream->context();
  const auto& there = output.operand.stream->context();
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
  if (operand.operand.memory->root() == output.operand.memory->root() &&
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

void require_stored_order(const char* operation, const NamedOperand& operand) {
  if (operand.operand.op == Op::none) return;
  throw MatrixError(
      ErrorCode::unsupported_layout,
      fmt::format("{}: {} is a {} view; copy it to a matrix first", operation, operand.name,
                  is_transposed(operand.operand.op) ? "transposed" : "conjugated"));
}

}  // namespace tessera::inline v0::operands
