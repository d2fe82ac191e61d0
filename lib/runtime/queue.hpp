// Queue: an in-order command queue that remembers what failed on it.
#pragma once

#include <deque>
#include <mutex>
#include <utility>

#include "runtime/opencl.hpp"

namespace tessera::inline v0::runtime {

class Queue {
 public:
  explicit Queue(cl::CommandQueue handle) : handle_(std::move(handle)) {}

  const cl::CommandQueue& handle() const { return handle_; }

  /// Held while an operation enqueues its commands.
  std::mutex& enqueueing() { return enqueueing_; }
  /// Remembers the last command of an operation until it has ended. The caller holds that lock.
  void note(const cl::Event& event);

  /// Waits for all commands. Throws OpenClError if one of them has failed since the last report.
  void finish();
  /// The same for the commands that have ended, without waiting.
  void report_failure();

 private:
  /// Has this command ended? Stores its failure if it failed.
  bool ended(const cl::Event& event);

  cl::CommandQueue handle_;
  std::mutex enqueueing_;
  std::deque<cl::Event> pending_;  // in queue order
  cl_int failure_ = CL_SUCCESS;
};

}  // namespace tessera::inline v0::runtime
