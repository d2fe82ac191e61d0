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
  double factor;  ///< by which a round multiplies the width; 1 where it does not shrink
};

/// Of the last half batch of rounds. Their stop test is a width of `tolerance` times the upper
/// bound. Nothing is known of fewer rounds than that: then they close at once.
Closing closing_of(std::span<const EigenBounds> rounds, double tolerance);

/// Rounds to the goal if they go on like this; may be infinite.
double rounds_left(const Closing& closing);

/// Seconds, roughly.
struct Costs {
  double round;
  double restart;  ///< in addition to its batch of rounds
  double host;     ///< a solve without rounds
};

/// For a matrix with n rows that is `bytes` large. By facts alone, not by measured times: solves
/// repeat their decisions.
Costs expected_costs(std::size_t n, double bytes, const DeviceInfo& device);

/// Whether batches of rounds with a restart before each would take less time.
bool restarts_pay(const Closing& closing, const Costs& costs);

/// Rounds with restarts that take as long as the host does without.
double rounds_worth(const Costs& costs);

}  // namespace tessera::inline v0::eigen
