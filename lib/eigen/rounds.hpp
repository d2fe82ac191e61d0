// Rounds: enqueued in batches until the state on the device says that they have ended.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "eigen/closing.hpp"
#include "eigen/phase_log.hpp"
#include "eigen/report.hpp"
#include "runtime/submission.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// The rounds before the host first looks, and what is called for each batch with the number of
/// rounds so far and in the batch: `meanwhile` before the host waits for the batch, `between` after
/// that if another batch follows.
struct BatchHooks {
  std::string_view phase = "rounds";
  std::function<void(const EigenProgress&)> progress = {};  ///< the caller's
  cl_uint first_batch = kBatch;
  /// Asked after a batch that did not end the rounds: whether to end them with Halt::none.
  std::function<bool()> ends = [] { return false; };
  std::function<void(cl_uint, cl_uint)> meanwhile = [](cl_uint, cl_uint) {};
  std::function<void(cl_uint, cl_uint)> between = [](cl_uint, cl_uint) {};
};

/// The state on the device, and what the host has read of it.
class Rounds {
 public:
  /// Of a matrix with n rows.
  Rounds(runtime::Submission& submission, Wide wide, std::size_t n)
      : submission_(&submission),
        wide_(wide),
        n_(n),
        buffer_(submission.scratch(state_size(wide, n), "the state of a solve")),
        fetched_(submission.host_memory<std::vector<std::byte>>(report_size(wide))) {}

  /// The state on the device.
  const cl::Buffer& buffer() const { return buffer_; }
  /// The state as it was when rounds last ended.
  const RoundState& state() const { return report_.state; }
  /// Index of the next round, counted from 0.
  cl_uint next() const { return looks_ == 0 ? 0 : report_.state.rounds + 1; }
  /// The evidence as it was when rounds last ended, or as read since.
  Evidence evidence() const { return evidence_in(fetched_, wide_, n_); }
  const std::vector<EigenBounds>& history() const { return history_; }
  /// The scale factor of a round of the last batch.
  double scale(cl_uint round) const { return report_.rounds[round % kLongBatch].scale; }

  /// Runs rounds until they end; `enqueue(i, count)` enqueues `count` rounds or fewer from the i-th
  /// from here on, and returns how many.
  template <class Enqueue>
  void run(const Limits& limits, Enqueue&& enqueue, const BatchHooks& hooks = {}) {
    const cl_uint first = next();
    cl_uint round = first;
    do {
      const cl_uint begin = round;
      const cl_uint batch = looks_ == 0                ? hooks.first_batch
                            : looks_ * kBatch <= begin ? expected(limits)
                                                       : kBatch;
      const cl_uint end = std::min(begin + batch, limits.max_rounds + 1);
      while (round < end) round += enqueue(round - first, end - round);
      hooks.meanwhile(round - first, round - begin);
      read(0, fetched_.size());
      report_ = report_of(fetched_, wide_);
      looks_++;
      keep(begin, report_.state.halt == Halt::none ? round : report_.state.rounds + 1);
      if (report_.state.halt != Halt::none) break;
      if (hooks.ends()) {
        report_.state.rounds--;  // the last one that was concluded, as after any other end
        break;
      }
      if (hooks.progress) hooks.progress(progress(hooks.phase));
      hooks.between(round - first, round - begin);
    } while (true);
    log_phase(progress(hooks.phase), name(report_.state.halt));
  }

  /// Waits.
  void read_evidence() {
    const std::size_t offset = evidence_offset(wide_);
    read(offset, fetched_.size() - offset);
  }

 private:
  EigenProgress progress(std::string_view phase) const {
    const auto& state = report_.state;
    return {phase, state.rounds, state.lower, state.upper};
  }
  void read(std::size_t offset, std::size_t size) {
    submission_->command(
        [&](const cl::CommandQueue& queue, cl::Event* event) {
          queue.enqueueReadBuffer(buffer_, CL_TRUE, offset, size, fetched_.data() + offset, nullptr,
                                  event);
        },
        "reading the state of a solve");
    submission_->report_failure();
  }
  /// Rounds to the end by the factor of the last two, at most a batch. Errs towards a few too many.
  cl_uint expected(const Limits& limits) const {
    const RoundState& state = report_.state;
    const double goal = limits.tolerance * (limits.by_neighbours ? 1 : state.upper);
    if (!(state.gap > goal)) return kBatch;
    const double factor = state.gap / state.gap_before;
    const double rounds = std::ceil(rounds_left({state.gap, goal, factor}) + 0.25);
    return rounds < kBatch ? static_cast<cl_uint>(rounds) : kBatch;
  }
  void keep(cl_uint begin, cl_uint end) {
    if (report_.state.halt == Halt::bad_input) return;
    for (cl_uint round = begin; round < end; round++) {
      const RoundRecord& kept = report_.rounds[round % kLongBatch];
      history_.push_back({kept.lower, kept.upper});
    }
  }

  runtime::Submission* submission_;
  Wide wide_;
  std::size_t n_;
  cl::Buffer buffer_;
  cl_uint looks_ = 0;  // reads of the state; shorter batches must not make them frequent
  std::vector<std::byte>& fetched_;  // the report as the device stores it
  Report report_;
  std::vector<EigenBounds> history_;
};

}  // namespace tessera::inline v0::eigen
