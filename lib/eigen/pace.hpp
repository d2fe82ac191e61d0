// Pace: how fast the interval of distributed rounds closes, and whether a shift closes it faster.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::inline v0::eigen {

/// Rounds with A + s I have another rate than rounds with A: s > 0 makes a periodic matrix
/// converge, and most others take longer. Every rank has the same widths and decides alike.
class Pace {
 public:
  /// Adds the width of the interval after a round. It never grows.
  void add(double width) {
    widths_.push_back(width);
    if (widths_.size() > kWindow && widths_.size() % kWindow == 1) end_window();
  }

  /// Returns whether the next round is to be shifted.
  bool is_shifted() const { return shifted_; }

  /// Returns whether the last `patience` rounds narrowed the interval by less than 0.1 %.
  bool is_stalled(std::size_t patience) const {
    const std::size_t rounds = widths_.size();
    return rounds > patience && !(widths_.back() < 0.999 * widths_[rounds - 1 - patience]);
  }

 private:
  static constexpr std::size_t kWindow = 16;
  static constexpr int kWindowsBetweenTrials = 7;
  static constexpr double kSlow = 0.9;  // of the width is left after a window

  /// Tries the other kind of round for a window if this kind is slow, and keeps the faster one.
  void end_window() {
    const double before = widths_[widths_.size() - 1 - kWindow];
    const double factor = before > 0 && before <= kLargest ? widths_.back() / before : 1;
    if (tries_) {
      const bool faster = factor < earlier_factor_ || (factor == earlier_factor_ && shifted_);
      if (!faster) shifted_ = !shifted_;
      tries_ = false;
      windows_to_trial_ = kWindowsBetweenTrials;
    } else if (factor > kSlow && windows_to_trial_-- <= 0) {
      earlier_factor_ = factor;
      shifted_ = !shifted_;
      tries_ = true;
    }
  }

  static constexpr double kLargest = 0x1p1000;  // an interval may have no upper bound

  std::vector<double> widths_;
  bool shifted_ = false, tries_ = false;
  int windows_to_trial_ = 0;
  double earlier_factor_ = 1;
};

}  // namespace tessera::inline v0::eigen
