// copy_into: argument checks, then a transfer within the device.
#include "tessera/copy.hpp"

#include <fmt/format.h>

#include "operands/operands.hpp"
#include "runtime/shape.hpp"
#include "runtime/stream.hpp"
#include "runtime/transfer.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {

template <class T>
Event detail::copy_into(const MatrixView<T>& to, const ConstMatrixView<T>& from,
                        const EnqueueOptions& options) {
  if (to.rows() != from.rows() || to.columns() != from.columns()) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("copy_into: from is {} and to is {}; expected the same shape",
                                  runtime::shape_text(from.rows(), from.columns()),
                                  runtime::shape_text(to.rows(), to.columns())));
  }
  operands::require_apart("copy_into", {"from", from.layout(), sizeof(T)},
                          {"to", to.layout(), sizeof(T)});
  return runtime::copy(runtime::stream_for("copy_into", options.stream, *to.layout().stream),
                       runtime::block_of(from.layout(), sizeof(T)),
                       runtime::block_of(to.layout(), sizeof(T)), options.wait_for);
}

#define TESSERA_COPY(T)                                                             \
  template Event detail::copy_into(const MatrixView<T>&, const ConstMatrixView<T>&, \
                                   const EnqueueOptions&);
TESSERA_COPY(float)
TESSERA_COPY(double)
TESSERA_COPY(std::int32_t)
TESSERA_COPY(half)
TESSERA_COPY(std::int8_t)
#undef TESSERA_COPY

}  // namespace tessera::inline v0
