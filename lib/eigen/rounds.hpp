// Rounds: enqueued in batches until the state on the device says that they have ended.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "eigen/device_state.hpp"
#include "runtime/submission.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// Called for each batch with the number of rounds so far and in the batch: `meanwhile` before the
/// host waits for the batch, `between` after that if another batch follows.
struct BatchHooks {
  bool ends_slow = false;  ///< end with Halt::none if the stop test is many batches away

  std::function<void(cl_uint, cl_uint)> meanwhile = [](cl_uint, cl_uint) {};
  std::function<void(cl_uint, cl_uint)> between = [](cl_uint, cl_uint) {};
};

/// The state on the device, and what the host has read of it.
template <class Component>
class Rounds {
 public:
  explicit Rounds(runtime::Submission& submission)
      : submission_(&submission),
        buffer_(submission.scratch(sizeof(Report<Component>), "the state of a solve")),
        report_(submission.host_memory<Report<Component>>()) {}

  /// The state on the device.
  const cl::Buffer& buffer() const { return buffer_; }
  /// The state as it was when rounds last ended.
  const State<Component>& state() const { return report_.state; }
  /// Index of the next round, counted from 0.
  cl_uint next() const { return looks_ == 0 ? 0 : report_.state.rounds + 1; }
  const std::vector<EigenBounds>& history() const { return history_; }
  /// The scale factor of a round of the last batch.
  double scale(cl_uint round) const {
    return static_cast<double>(report_.rounds[round % kBatch].scale);
  }

  /// Runs rounds until they end; `enqueue(i)` enqueues the i-th round from here.
  template <class Enqueue>
  void run(const Limits<Component>& limits, Enqueue&& enqueue, const BatchHooks& hooks = {}) {
    const cl_uint first = next();
    cl_uint round = first;
    do {
      const cl_uint begin = round;
      const cl_uint batch = looks_ * kBatch <= begin ? expected(limits) : kBatch;
      for (; round - begin < batch && round <= limits.max_rounds; round++) enqueue(round - first);
      hooks.meanwhile(round - first, round - begin);
      const double gap_before = looks_ == 0 ? 0 : static_cast<double>(report_.state.gap);
      read();
      looks_++;
      keep(begin, report_.state.halt == Halt::none ? round : report_.state.rounds + 1);
      if (report_.state.halt != Halt::none) return;
      if (hooks.ends_slow && begin > first &&
          remaining(limits, gap_before, round - begin) > kSlow) {
        report_.state.rounds--;  // the last one that was concluded, as after any other end
        return;
      }
      hooks.between(round - first, round - begin);
    } while (true);
  }

 private:
  void read() {
    submission_->command(
        [&](const cl::CommandQueue& queue, cl::Event* event) {
          queue.enqueueReadBuffer(buffer_, CL_TRUE, 0, sizeof report_, &report_, nullptr, event);
        },
        "reading the state of a solve");
    submission_->report_failure();
  }
  /// Rounds to the end if the gap, which was `before` so many rounds ago, keeps shrinking as since.
  double remaining(const Limits<Component>& limits, double before, cl_uint rounds) const {
    const auto& state = report_.state;
    const double gap = static_cast<double>(state.gap);
    const double goal = limits.tolerance * (limits.by_neighbours != 0 ? 1 : state.upper.value());
    if (!(gap < before) || !(gap > goal)) return std::numeric_limits<double>::infinity();
    return rounds * std::log(goal / gap) / std::log(gap / before);
  }
  /// Rounds to the end by the factor of the last two, at most a batch. Errs towards a few too many.
  cl_uint expected(const Limits<Component>& limits) const {
    const double before = static_cast<double>(report_.state.gap_before);
    const double rounds = std::ceil(remaining(limits, before, 1) + 0.25);
    return rounds < kBatch ? static_cast<cl_uint>(rounds) : kBatch;
  }
  void keep(cl_uint begin, cl_uint end) {
    if (report_.state.halt == Halt::bad_input) return;
    for (cl_uint round = begin; round < end; round++) {
      const auto& kept = report_.rounds[round % kBatch];
      history_.push_back({kept.lower.value(), kept.upper.value()});
    }
  }

  static constexpr double kSlow = 4 * kBatch;

  runtime::Submission* submission_;
  cl::Buffer buffer_;
  cl_uint looks_ = 0;  // reads of the state; shorter batches must not make them frequent
  Report<Component>& report_;
  std::vector<EigenBounds> history_;
};

}  // namespace tessera::inline v0::eigen
