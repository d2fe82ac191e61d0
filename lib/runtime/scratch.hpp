// Scratch: memory that operations need while they run, pooled for the streams of a context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <list>

#include "runtime/memory_budget.hpp"
#include "runtime/opencl.hpp"

namespace tessera::inline v0::runtime {

/// Buffers and images that were used before. Commands of a stream run in order, so that what one
/// operation of it used, the next can have at once; another stream never gets it.
class ScratchPool {
 public:
  /// Who asks: a stream's number, and its queue.
  struct User {
    std::uint64_t stream;
    const cl::CommandQueue& queue;
  };

  ScratchPool(cl::Context context, std::shared_ptr<MemoryBudget> budget);

  /// A buffer of at least `bytes`, until release(). Throws MemoryError, which names `what`.
  cl::Buffer buffer(const User& user, std::uint64_t bytes, const std::string& what);
  /// An image of at least `width` x `height` pixels, until release().
  cl::Image2D image(const User& user, cl::ImageFormat format, std::size_t width, std::size_t height,
                    const std::string& what);
  /// An operation has ended: all that the stream has is idle, and what goes beyond the pool's bound
  /// is freed.
  void release(std::uint64_t stream);
  /// Frees all that the stream has.
  void forget(std::uint64_t stream);
  /// Where `bytes` do not fit in the device's memory: frees what is idle, whichever stream has it,
  /// then waits for `queue`.
  void make_room(std::uint64_t bytes, const cl::CommandQueue& queue);

 private:
  struct Entry {
    std::uint64_t stream = 0;
    cl::Memory memory = {};
    std::uint64_t bytes = 0;
    cl::ImageFormat format = {};        // of an image
    std::size_t width = 0, height = 0;  // of an image; 0 for a buffer
    bool in_use = true;
  };
  template <class Fits, class Make>
  cl::Memory get(const User& user, Entry wanted, const std::string& what, Fits fits, Make make);
  template <class Condition>
  void free_where(Condition condition);

  cl::Context context_;
  std::shared_ptr<MemoryBudget> budget_;
  std::uint64_t bound_;  // bytes of a stream that may stay pooled between operations
  std::mutex mutex_;
  std::list<Entry> pool_;  // by size, the smallest first
};

}  // namespace tessera::inline v0::runtime
