// copy_into: argument checks, then a transfer within the device.
#include "tessera/copy.hpp"

#include <fmt/format.h>

#include "operands/operands.hpp"
#include "runtime/shape.hpp"
#include "runtime/stream.hpp"
#include "runtime/transfer.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {

Event detail::copy_into(const Operand& to, const Operand& from, const CallOptions& options) {
  if (options.kernel != KernelChoice())
    throw ArgumentError(ErrorCode::invalid_value,
                        "copy_into: a kernel was named; copies have none");
  if (to.rows() != from.rows() || to.columns() != from.columns()) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("copy_into: from is {} and to is {}; expected the same shape",
                                  runtime::shape_text(from.rows(), from.columns()),
                                  runtime::shape_text(to.rows(), to.columns())));
  }
  if (to.type != from.type) {
    throw MatrixError(ErrorCode::wrong_type, fmt::format("copy_into: from is of {} and to of {}",
                                                         to_string(from.type), to_string(to.type)));
  }
  operands::require_stored_order("copy_into", {"from", from});
  operands::require_apart("copy_into", {"from", from}, {"to", to});
  return runtime::copy(runtime::stream_for("copy_into", options.stream, *to.stream),
                       runtime::block_of(from), runtime::block_of(to), options.wait_for);
}

}  // namespace tessera::inline v0
