// Stream: an in-order queue of a context, with its scratch memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/context.hpp"
#include "runtime/memory.hpp"
#include "runtime/opencl.hpp"
#include "runtime/queue.hpp"
#include "runtime/shape.hpp"
#include "tessera/detail/access.hpp"
#include "tessera/engine.hpp"
#include "tessera/stream.hpp"

namespace tessera::inline v0::runtime {

/// The failures that a stream reports.
enum class Reports {
  all,  ///< of every stream of the context, as they may concern its operands
  own,  ///< of its own, which no other stream reports: it shares nothing with the caller's work
};

/// Does not keep its context alive, but the results of open_stream() and own_stream() do.
class Stream {
 public:
  /// Creates a queue for the stream.
  explicit Stream(Context& context, Reports reports = Reports::all);
  /// Uses an application's queue.
  Stream(Context& context, cl::CommandQueue queue);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { context_->scratch().forget(id_); }

  /// Unique, and never reused, even after this stream is destroyed.
  std::uint64_t id() const { return id_; }
  Context& context() const { return *context_; }
  Queue& commands() const { return *queue_; }
  const cl::CommandQueue& queue() const { return queue_->handle(); }

  /// Memory for `what`, which an error names. Waits for this stream if memory is short.
  std::shared_ptr<Memory> allocate(std::uint64_t bytes, const std::string& what);
  /// Throws the error of the first of these matrices that could not be allocated after those before
  /// it. Allocates nothing.
  void check_room(const std::vector<MatrixSize>& matrices);
  /// Scratch memory until release_scratch() by the same holder; see ScratchPool.
  cl::Buffer scratch(std::uint64_t bytes, const std::string& what,
                     ScratchPool::Holder holder = ScratchPool::kOperation);
  cl::Image2D scratch_image(cl::ImageFormat format, std::size_t width, std::size_t height,
                            const std::string& what);
  /// kCounters of 32 bits, which are 0 between operations: a kernel leaves them as it found them.
  static constexpr std::size_t kCounters = 4096;
  const cl::Buffer& counters();
  void release_scratch(ScratchPool::Holder holder = ScratchPool::kOperation) {
    context_->scratch().release(id_, holder);
  }

  /// Waits for all commands, then reports.
  void finish() {
    queue_->finish();
    report_failure();
  }
  /// Throws OpenClError if a command of this stream has failed since its last report, or one of
  /// another stream that has not reported it yet: this one may have taken results from it.
  void report_failure() {
    if (reports_ == Reports::all) return context_->report_failure(*queue_);
    queue_->report_failure();
  }

  /// The operations that report_failure() may still have to report. Throws like it.
  std::vector<Event> pending() {
    return reports_ == Reports::all ? context_->pending(*queue_) : queue_->pending(true);
  }

 private:
  void choose_events();

  Context* context_;
  Reports reports_ = Reports::all;
  std::uint64_t id_;
  std::shared_ptr<Queue> queue_;
  cl::Buffer counters_;
};

/// A stream that keeps its context alive, with a queue of its own.
std::shared_ptr<Stream> open_stream(std::shared_ptr<Context> context,
                                    Reports reports = Reports::all);
/// The same on an application's queue.
std::shared_ptr<Stream> open_stream(std::shared_ptr<Context> context, cl::CommandQueue queue);
/// The context's own stream, created by the first call: on `queue`, or on a new one if it is null.
std::shared_ptr<Stream> own_stream(const std::shared_ptr<Context>& context,
                                   const cl::CommandQueue& queue = {});

/// The stream that an operation's options name, else its output's stream. Throws ArgumentError if
/// the two belong to different contexts.
Stream& stream_for(const char* operation, const std::optional<tessera::Stream>& named,
                   Stream& of_output);

/// The state behind a public stream, or an engine's own.
inline Stream& stream_of(const tessera::Stream& stream) { return *detail::Access::state(stream); }
inline Stream& stream_of(const Engine& engine) { return stream_of(engine.stream()); }

}  // namespace tessera::inline v0::runtime
