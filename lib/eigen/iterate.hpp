// Iterate: implicit rounds from one vector of a solve to another.
#pragma once

#include <cstddef>

#include "eigen/rounds.hpp"
#include "eigen/workspace.hpp"

namespace tessera::inline v0::eigen {

/// Thrown if a row has an element that the solver does not accept, only zeros, or a sum that
/// overflows.
struct BadRow {
  std::size_t row;
};

/// Enqueues what begins rounds, of which the first ones begin with the vector of ones.
void begin_rounds(const Workspace& work, const Rounds& rounds, const Limits& limits);
/// Enqueues what begins rounds that continue with number `first`.
void begin_again(const Workspace& work, const Rounds& rounds, const Limits& limits, cl_uint first);

/// Runs implicit rounds from `from` until one of the limits is reached; if the solve may choose,
/// with restarts from where they pay. Waits. Throws BadRow.
Iterate iterate(Workspace& work, Rounds& rounds, const Iterate& from, double tolerance);

/// May the solve choose restarts, and would they pay? By the bounds of rounds so far, but for the
/// `earlier` ones that were not of this kind.
bool is_slow(const Workspace& work, const Rounds& rounds, std::size_t earlier, double tolerance);

/// When rounds end that begin with number `first`: with the bounds within `tolerance`, or the
/// neighbours within the options'.
Limits limits_of(const Workspace& work, cl_uint first, double tolerance);

}  // namespace tessera::inline v0::eigen
