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
template <class Component>
void begin_rounds(const Workspace<Component>& work, const Rounds<Component>& rounds,
                  const Limits<Component>& limits);

/// Runs implicit rounds from `from` until one of the limits is reached; if the solve may choose,
/// with restarts from where they pay. Waits. Throws BadRow.
template <class Component>
Iterate iterate(Workspace<Component>& work, Rounds<Component>& rounds, const Iterate& from,
                double tolerance);

/// Whether the solve may choose restarts and they would pay, by the bounds of rounds so far,
/// without the `earlier` ones that were not of this kind.
template <class Component>
bool is_slow(const Workspace<Component>& work, const Rounds<Component>& rounds, std::size_t earlier,
             double tolerance);

/// When rounds end that begin with number `first`: with the bounds within `tolerance`, or the
/// neighbours within the options'.
template <class Component>
Limits<Component> limits_of(const Workspace<Component>& work, cl_uint first, double tolerance);

}  // namespace tessera::inline v0::eigen
