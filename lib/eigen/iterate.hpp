// Iterate: a vector of a solve, and the implicit rounds from one to the next.
#pragma once

#include <cstddef>
#include <vector>

#include "eigen/arguments.hpp"
#include "eigen/restart.hpp"
#include "eigen/rounds.hpp"
#include "eigen/solver_plans.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::eigen {

/// Thrown if a row has an element that the solver does not accept, only zeros, or a sum that
/// overflows.
struct BadRow {
  std::size_t row;
};

/// Host memory that commands read and write: the submission's.
template <class Component>
struct HostBuffers {
  std::vector<Component> vector, ratios;
  Restart<Component> restart;
};

/// What all rounds of a solve work on.
template <class Component>
struct Workspace {
  const EigenOptions& options;
  const SolverPlans& plans;
  runtime::Submission& submission;
  HostBuffers<Component>& host;
  Stage stage;  ///< its halt word is the state's
  MatrixArgument a;
  std::vector<cl::Buffer> vectors;  ///< a ring: a round reads one and writes the next
  cl::Buffer ratios;                ///< A v / v
  bool restarts;                    ///< between batches of rounds; the ring holds a batch's vectors

  /// Is it the library that chooses, and has it not yet?
  bool may_accelerate() const {
    return options.acceleration == Acceleration::automatic && !restarts &&
           options.stop == StopTest::bounds;
  }
};

template <class Component>
Workspace<Component> make_workspace(runtime::Submission& submission, HostBuffers<Component>& host,
                                    const SolverPlans& plans, const EigenOptions& options,
                                    const Stage& stage, const MatrixArgument& a);

/// From here on rounds restart between batches: the ring gets longer, its vectors stay.
template <class Component>
void add_restarts(Workspace<Component>& work);

/// Vectors by their index in the ring.
struct Iterate {
  std::size_t vector = 0;   ///< the last one examined; positive unless steps lost a component
  std::size_t next = 0;     ///< the one that the next round reads
  bool has_ratios = false;  ///< the workspace's ratios are those of `vector`
};

/// The vector of ones.
template <class Component>
Iterate ones(const Workspace<Component>& work);

/// Enqueues one round, from the i-th vector after `from.next` to the one after that.
template <class Component>
void enqueue_round(const Workspace<Component>& work, const kernels::Plan& plan, const Iterate& from,
                   std::size_t i);

/// Runs implicit rounds from `from` until one of the limits is reached, or, if the solve may choose
/// to accelerate, they turn out to be slow. Waits. Throws BadRow.
template <class Component>
Iterate iterate(const Workspace<Component>& work, Rounds<Component>& rounds, const Iterate& from,
                double tolerance);

/// When rounds end that begin with number `first`: with the bounds within `tolerance`, or the
/// neighbours within the options'.
template <class Component>
Limits<Component> limits_of(const Workspace<Component>& work, cl_uint first, double tolerance);

}  // namespace tessera::inline v0::eigen
