// Stream: an in-order queue of a context, with its scratch memory.
#pragma once

#include <cstdint>
#include <deque>
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

  /// Never another stream's, not even after this one's end.
  std::uint64_t id() const { return id_; }
  Context& context() const { return *context_; }
  const std::shared_ptr<Context>& shared_context() const { return context_; }
  const cl::CommandQueue& queue() const { return queue_; }

  /// Memory for `what`, which an error names. Waits for this stream where memory is short.
  std::shared_ptr<Memory> allocate(std::uint64_t bytes, const std::string& what);
  /// Waits for all commands. Throws OpenClError if one of them has failed since this was last told.
  void finish();
  /// The same about the commands that have ended, without waiting.
  void tell_failure();

 private:
  friend class Submission;

  /// Remembers the last command of an operation, until it has ended well; with the lock held.
  void note(const cl::Event& event);
  /// Has this command ended? Keeps the failure of one that failed.
  bool ended(const cl::Event& event);

  std::shared_ptr<Context> context_;
  std::uint64_t id_;
  cl::CommandQueue queue_;
  std::mutex mutex_;  // held while an operation enqueues its commands
  Scratch scratch_;
  std::deque<cl::Event> pending_;  // in the order of the queue
  cl_int failure_ = CL_SUCCESS;
};

}  // namespace tessera::inline v0::runtime
