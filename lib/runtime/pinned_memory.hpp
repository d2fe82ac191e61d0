// PinnedMemory: host memory that devices copy from and to at full speed.
#pragma once

#include <cstddef>

#include "runtime/context.hpp"
#include "runtime/opencl.hpp"

namespace tessera::inline v0::runtime {

/// Memory of a buffer in the host's memory, mapped for as long as this lives.
class PinnedMemory {
 public:
  PinnedMemory(const Context& context, std::size_t bytes);
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory();

  const cl::CommandQueue& queue() const { return queue_; }
  std::byte* data() const { return data_; }

 private:
  cl::CommandQueue queue_;  // of its own: nothing here waits for a stream
  cl::Buffer buffer_;
  std::byte* data_;
};

}  // namespace tessera::inline v0::runtime
