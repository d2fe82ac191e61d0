// In place: host memory as a buffer that a device computes on without a copy.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "runtime/context.hpp"
#include "runtime/memory.hpp"

namespace tessera::inline v0::runtime {

/// A buffer over host memory, and where that begins in it, in bytes.
struct InPlace {
  std::shared_ptr<Memory> memory;
  std::size_t offset;
};

/// `bytes` from `data` on as a buffer; empty if the device is not a CPU that shares the host's
/// memory, or refuses so large a buffer. The memory must outlive all commands that use it.
std::optional<InPlace> in_place(Context& context, std::byte* data, std::size_t bytes,
                                bool read_only);

}  // namespace tessera::inline v0::runtime
