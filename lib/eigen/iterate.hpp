// Iterate: implicit rounds from one vector of a solve to another.
#pragma once

#include <cstddef>
#include <string_view>

#include "eigen/rounds.hpp"
#include "eigen/workspace.hpp"

namespace tessera::inline v0::eigen {

/// Thrown if a row has an element that the solver does not accept, only zeros, or a sum that
/// overflows.
struct BadRow {
  std::size_t row;
};

/// Enqueues the kernel that begins rounds. The first rounds of a solve begin with the vector of
/// ones.
void begin_rounds(const Workspace& work, const Rounds& rounds, const Limits& limits);
/// Enqueues the kernel that begins rounds that continue with number `first`.
void begin_again(const Workspace& work, const Rounds& rounds, const Limits& limits, cl_uint first);

/// Rounds of one kind, until they end.
struct RoundsRun {
  std::string_view phase;
  std::size_t earlier;  ///< rounds in the history that are not of this kind
  double tolerance;     ///< on the bounds
  bool restarts;        ///< between batches
};

/// After a batch has been enqueued: waits for it. Returns whether another batch is to follow, after
/// it has called the caller's `progress`. The rounds of a run without restarts end, too, if the
/// solve may choose restarts and these would pay.
bool go_on(const Workspace& work, Rounds& rounds, const Batch& batch, const RoundsRun& run);

/// Limits of the rounds that begin with number `first`. Their stop test compares the bounds with
/// the run's tolerance, or neighbouring row sums with the options' `neighbour_tolerance`.
Limits limits_of(const Workspace& work, cl_uint first, const RoundsRun& run);

/// An iterate, and whether the rounds that follow it restart.
struct Iterated {
  Iterate iterate;
  bool restarts;
};

/// Runs implicit rounds from `from` until one of the limits is reached, with restarts if
/// `restarts`; else, if the solve may choose, with restarts as soon as they pay. Waits. Throws
/// BadRow.
Iterated iterate(const Workspace& work, Rounds& rounds, const Iterate& from, double tolerance,
                 bool restarts);

}  // namespace tessera::inline v0::eigen
