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

/// What a restart takes in addition to its batch of rounds, in rounds of a matrix with n rows that
/// is `bytes` large. Of facts alone, not of measured times: solves repeat their decisions.
double restart_cost(std::size_t n, double bytes, const DeviceInfo& device);

/// Would batches of rounds with a restart before each, of that cost, take less time?
bool restarts_pay(const Closing& closing, double cost);

}  // namespace tessera::inline v0::eigen
