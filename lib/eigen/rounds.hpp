// Rounds: enqueued in batches, until the state on the device says that they have ended.
#pragma once

#include <algorithm>
#include <vector>

#include "eigen/device_state.hpp"
#include "runtime/submission.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

template <class Part>
class Rounds {
 public:
  Rounds(runtime::Submission& submission, cl_uint max_rounds)
      : submission_(&submission),
        buffer_(submission.scratch(sizeof(Report<Part>), "the state of a solve")),
        max_rounds_(max_rounds) {}

  /// The state on the device.
  const cl::Buffer& buffer() const { return buffer_; }
  /// The state as it was when rounds last ended.
  const State<Part>& state() const { return report_.state; }
  const std::vector<EigenBounds>& history() const { return history_; }

  /// `enqueue(i)` enqueues the i-th round from `first` on, again and again; returns when they have
  /// ended.
  template <class Enqueue>
  void run(cl_uint first, Enqueue&& enqueue) {
    cl_uint next = first;
    do {
      const cl_uint begin = next;
      for (; next - begin < kBatch && next <= max_rounds_; next++) enqueue(next - first);
      read();
      keep(begin, report_.state.halt == Halt::none ? next : report_.state.rounds + 1);
    } while (report_.state.halt == Halt::none);
  }

 private:
  void read() {
    submission_->command(
        [&](const cl::CommandQueue& queue, cl::Event* event) {
          queue.enqueueReadBuffer(buffer_, CL_TRUE, 0, sizeof report_, &report_, nullptr, event);
        },
        "reading the state of a solve");
  }
  void keep(cl_uint begin, cl_uint end) {
    if (report_.state.halt == Halt::bad_input) return;
    for (cl_uint round = begin; round < end; round++) {
      const auto& [lower, upper] = report_.bounds[round % kBatch];
      history_.push_back({lower.value(), upper.value()});
    }
  }

  runtime::Submission* submission_;
  cl::Buffer buffer_;
  cl_uint max_rounds_;
  Report<Part> report_;
  std::vector<EigenBounds> history_;
};

}  // namespace tessera::inline v0::eigen
