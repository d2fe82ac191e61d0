// Scratch: memory that operations need while they run, pooled for the streams of a context.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "runtime/memory_budget.hpp"
#include "runtime/opencl.hpp"

namespace tessera::inline v0::runtime {

/// Buffers and images kept for reuse. Commands of a stream run in order, so an operation can at
/// once reuse the memory of the previous one on its stream; other streams never get it.
class ScratchPool {
 public:
  /// Holds memory until release(): the operation that has the stream's lock, or a lease.
  using Holder = std::uint64_t;
  static constexpr Holder kOperation = 1;

  /// The requesting stream: its id and its queue.
  struct User {
    std::uint64_t stream;
    const cl::CommandQueue& queue;
    Holder holder = kOperation;
  };

  ScratchPool(cl::Context context, std::shared_ptr<MemoryBudget> budget);

  /// A buffer of at least `bytes`, until release(). Throws MemoryError, which names `what`.
  cl::Buffer buffer(const User& user, std::uint64_t bytes, const std::string& what);
  /// An image of at least `width` x `height` pixels, until release().
  cl::Image2D image(const User& user, cl::ImageFormat format, std::size_t width, std::size_t height,
                    const std::string& what);
  Holder new_holder() { return ++holders_; }
  /// The holder's memory of the stream becomes idle. Frees idle memory beyond the pool's bound.
  void release(std::uint64_t stream, Holder holder = kOperation);
  /// Frees all memory of the stream.
  void forget(std::uint64_t stream);
  /// Frees all memory that no operation has, of whichever stream.
  void free_idle();
  /// If `bytes` do not fit in the device's memory: free_idle(), then waits for `queue`.
  void make_room(std::uint64_t bytes, const cl::CommandQueue& queue);

 private:
  struct Entry {
    std::uint64_t stream = 0;
    std::shared_ptr<MemoryBudget::Reservation> reservation = {};  // what release_with() returned
    cl::Memory memory = {};
    std::uint64_t bytes = 0;
    cl::ImageFormat format{0, 0};       // for an image; the default is not initialised
    std::size_t width = 0, height = 0;  // for an image; 0 for a buffer
    Holder holder = 0;                  // 0: idle
  };
  template <class Fits, class Make>
  cl::Memory get(const User& user, Entry wanted, const std::string& what, Fits fits, Make make);
  template <class Condition>
  void free_where(Condition condition);

  cl::Context context_;
  std::shared_ptr<MemoryBudget> budget_;
  std::uint64_t bound_;  // bytes per stream that may stay pooled between operations
  std::mutex mutex_;
  std::list<Entry> pool_;  // by size, smallest first
  std::atomic<Holder> holders_ = kOperation;
};

}  // namespace tessera::inline v0::runtime
