// Closing: how fast bounds close, and whether restarts would take less time than rounds alone.
#pragma once

#include <cstddef>
#include <span>

#include "tessera/device.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// Widths of bounds, in one unit.
struct Closing {
  double width;   ///< of the last round
  double goal;    ///< of the stop test
  double factor;  ///< by which a round multiplies the width; 1 if the width does not shrink
};

/// Measures the last half batch of rounds. The goal is a width of `tolerance` times the last upper
/// bound. Returns zeros if there is no earlier round to compare with; rounds_left() is then 0.
Closing closing_of(std::span<const EigenBounds> rounds, double tolerance);

/// Rounds to the goal if the width continues to shrink at this rate; may be infinite.
double rounds_left(const Closing& closing);

/// Seconds, roughly.
struct Costs {
  double round;
  double restart;  ///< in addition to its batch of rounds
  double host;     ///< a solve without rounds
};

/// Estimates the costs for a matrix with n rows and `bytes` bytes. Uses no measured times, so that
/// a repeated solve makes the same decisions.
Costs expected_costs(std::size_t n, double bytes, const DeviceInfo& device);

/// True if batches of rounds with a restart before each would take less time than rounds alone.
bool restarts_pay(const Closing& closing, const Costs& costs);

/// Number of rounds with restarts that take as long as a solve on the host.
double rounds_worth(const Costs& costs);

}  // namespace tessera::inline v0::eigen
