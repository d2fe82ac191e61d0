// Stream: an in-order queue of a context, with its scratch memory.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "runtime/context.hpp"
#include "runtime/memory.hpp"
#include "runtime/opencl.hpp"
#include "runtime/scratch.hpp"

namespace tessera::inline v0::runtime {

class Stream {
 public:
  /// With a queue of its own, or an application's.
  explicit Stream(std::shared_ptr<Context> context);
  Stream(std::shared_ptr<Context> context, cl::CommandQueue queue);

  Context& context() const { return *context_; }
  const std::shared_ptr<Context>& shared_context() const { return context_; }
  const cl::CommandQueue& queue() const { return queue_; }

  /// Memory for `what`, which an error names. Waits for this stream where memory is short.
  std::shared_ptr<Memory> allocate(std::uint64_t bytes, const std::string& what);
  void finish() const;

 private:
  friend class Submission;

  std::shared_ptr<Context> context_;
  cl::CommandQueue queue_;
  std::mutex mutex_;  // held while an operation enqueues its commands
  Scratch scratch_;
};

}  // namespace tessera::inline v0::runtime
