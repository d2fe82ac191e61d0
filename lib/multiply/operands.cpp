// What operands of one call must have in common, and what not.
#include "multiply/operands.hpp"

#include <fmt/format.h>

#include "multiply/overlap.hpp"
#include "runtime/memory.hpp"
#include "runtime/stream.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

/// The bytes of a view in the buffer that all its sub-buffers share.
Rows bytes_of(const NamedPlace& named) {
  const auto& [name, place, size] = named;
  return {place.memory->origin() + place.offset * size, place.rows, place.columns * size,
          place.leading_dimension * size};
}

}  // namespace

void require_together(const char* operation, const NamedPlace& operand, const NamedPlace& output) {
  for (const NamedPlace* named : {&output, &operand}) {
    if (named->place.memory == nullptr)
      throw MatrixError(fmt::format("{}: {} was moved from", operation, named->name));
  }
  const auto& here = operand.place.stream->context();
  const auto& there = output.place.stream->context();
  if (&here != &there) {
    throw DeviceError(fmt::format(
        "{}: {} is on {} and {} on {}, in different contexts; copy_to() moves a matrix", operation,
        operand.name, here.device().info.name, output.name, there.device().info.name));
  }
}

void require_apart(const char* operation, const NamedPlace& operand, const NamedPlace& output) {
  require_together(operation, operand, output);
  if (operand.place.memory->root() == output.place.memory->root() &&
      overlap(bytes_of(operand), bytes_of(output))) {
    throw MatrixError(
        fmt::format("{}: {} and {} have elements in common", operation, output.name, operand.name));
  }
}

}  // namespace tessera::inline v0::multiplication
