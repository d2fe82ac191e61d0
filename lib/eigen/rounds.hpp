// Rounds: the state of a solve on the device, which ends rounds, and how many to enqueue at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "eigen/closing.hpp"
#include "eigen/report.hpp"
#include "runtime/submission.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// Rounds that are enqueued before the host reads the state: indices from `begin` to before `end`.
struct Batch {
  cl_uint begin, end;

  cl_uint size() const { return end - begin; }
};

/// The state on the device, and what the host has read of it.
class Rounds {
 public:
  /// Allocates the state for a matrix with n rows.
  Rounds(runtime::Submission& submission, Wide wide, std::size_t n)
      : submission_(&submission),
        wide_(wide),
        n_(n),
        buffer_(submission.lasting_scratch(state_size(wide, n), "the state of a solve")),
        fetched_(submission.host_memory<std::vector<std::byte>>(report_size(wide))) {}

  /// The state on the device.
  const cl::Buffer& buffer() const { return buffer_; }
  /// The state after the last batch.
  const RoundState& state() const { return report_.state; }
  /// Index of the next round, counted from 0.
  cl_uint next() const { return next_; }
  /// The evidence after the last batch, or as read since.
  Evidence evidence() const { return evidence_in(fetched_, wide_, n_); }
  const std::vector<EigenBounds>& history() const { return history_; }
  /// The scale factor of a round of the last batch.
  double scale(cl_uint round) const { return report_.rounds[round % kLongBatch].scale; }

  EigenProgress progress(std::string_view phase) const {
    const RoundState& state = report_.state;
    return {phase, state.rounds, state.lower, state.upper};
  }

  /// The rounds to enqueue next; `first` is the size of a solve's first batch.
  Batch next_batch(const Limits& limits, cl_uint first = kBatch) const {
    const cl_uint size = looks_ == 0 ? first : looks_ * kBatch <= next_ ? expected(limits) : kBatch;
    return {next_, std::min(next_ + size, limits.max_rounds + 1)};
  }

  /// After a batch has been enqueued: reads the state, and waits for it. Returns whether the rounds
  /// have ended.
  bool has_ended(const Batch& batch) {
    read(0);
    report_ = report_of(fetched_, wide_);
    looks_++;
    const bool halted = report_.state.halt != Halt::none;
    next_ = halted ? report_.state.rounds + 1 : batch.end;
    keep({batch.begin, next_});
    return halted;
  }
  /// The host ends rounds that have not ended, after the last batch.
  void end() { report_.state.rounds = next_ - 1; }

  /// Waits.
  void read_evidence() { read(evidence_offset(wide_)); }

 private:
  void read(std::size_t offset) {
    submission_->read(buffer_, offset, std::span(fetched_).subspan(offset),
                      "reading the state of a solve");
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
  void keep(const Batch& batch) {
    if (report_.state.halt == Halt::bad_input) return;
    for (cl_uint round = batch.begin; round < batch.end; round++) {
      const RoundRecord& kept = report_.rounds[round % kLongBatch];
      history_.push_back({kept.lower, kept.upper});
    }
  }

  runtime::Submission* submission_;
  Wide wide_;
  std::size_t n_;
  cl::Buffer buffer_;
  cl_uint next_ = 0;
  cl_uint looks_ = 0;  // reads of the state; shorter batches must not make them frequent
  std::vector<std::byte>& fetched_;  // the report as the device stores it
  Report report_;
  std::vector<EigenBounds> history_;
};

}  // namespace tessera::inline v0::eigen
