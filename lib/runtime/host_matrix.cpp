// HostMatrix: pinned memory with the context that it belongs to.
#include "tessera/host_matrix.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/opencl_error.hpp"
#include "runtime/pinned_memory.hpp"
#include "runtime/process.hpp"
#include "runtime/shape.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0 {
namespace {

struct Pinned {
  Pinned(std::shared_ptr<runtime::Stream> of, std::size_t bytes)
      : stream(std::move(of)), memory(stream->context(), bytes) {}

  std::shared_ptr<runtime::Stream> stream;  // keeps the context alive, and is destroyed last
  runtime::PinnedMemory memory;
};

}  // namespace

std::shared_ptr<void> detail::pinned_memory(const Stream& stream, ElementType type,
                                            std::size_t rows, std::size_t columns) {
  const std::size_t bytes = runtime::bytes_of(rows, columns, element_size(type));
  runtime::check_process();
  if (bytes == 0) return nullptr;
  const auto pinned = runtime::with_opencl_errors(
      [&] { return std::make_shared<Pinned>(detail::Access::state(stream), bytes); },
      [&] {
        return fmt::format("pinned memory for a matrix of {} elements",
                           runtime::shape_text(rows, columns));
      });
  return {pinned, pinned->memory.data()};
}

}  // namespace tessera::inline v0
