// Scratch: memory that an operation needs while it runs, pooled by stream.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/context.hpp"
#include "runtime/opencl.hpp"

namespace tessera::inline v0::runtime {

/// Buffers and images that were used before. Commands of a stream run in order, so what one
/// operation used can be lent to the next at once. Not safe for several threads: the stream's lock
/// guards it.
class Scratch {
 public:
  Scratch(Context& context, cl::CommandQueue queue);

  /// A buffer of at least `bytes`, until release(). Throws MemoryError, which names `what`.
  cl::Buffer buffer(std::uint64_t bytes, const std::string& what);
  /// An image of at least `width` x `height` pixels, until release().
  cl::Image2D image(cl::ImageFormat format, std::size_t width, std::size_t height,
                    const std::string& what);
  /// Ends what was lent, and gives back what the pool holds beyond its bound.
  void release();

  /// Waits for the queue and empties the pool of what is not lent.
  void make_room();

 private:
  struct Entry {
    cl::Memory memory = {};
    std::uint64_t bytes = 0;
    cl::ImageFormat format = {};        // of an image
    std::size_t width = 0, height = 0;  // of an image; 0 for a buffer
    bool in_use = true;
  };
  template <class Fits>
  Entry* idle(Fits fits);
  template <class Make>
  cl::Memory add(Entry entry, const std::string& what, Make make);

  Context* context_;
  cl::CommandQueue queue_;
  std::uint64_t bound_;  // bytes that may stay pooled between operations
  std::vector<Entry> pool_;
};

}  // namespace tessera::inline v0::runtime
