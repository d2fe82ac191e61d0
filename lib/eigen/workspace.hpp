// Workspace: what all rounds of a solve work on, and the vectors that they go through.
#pragma once

#include <cstddef>
#include <vector>

#include "eigen/arguments.hpp"
#include "eigen/restart.hpp"
#include "eigen/solver_plans.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::eigen {

/// What all rounds of a solve work on.
template <class Component>
struct Workspace {
  const EigenOptions& options;
  const SolverPlans& plans;
  runtime::Submission& submission;
  Restart<Component>& restart;
  Stage stage;  ///< its halt word is the state's
  MatrixArgument a;
  const cl::Buffer& result;         ///< the eigenvector in the matrix's type
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
Workspace<Component> make_workspace(runtime::Submission& submission, Restart<Component>& restart,
                                    const SolverPlans& plans, const EigenOptions& options,
                                    const Stage& stage, const MatrixArgument& a,
                                    const cl::Buffer& result);

/// From here on rounds restart between batches: the ring gets longer, its vectors stay.
template <class Component>
void add_restarts(Workspace<Component>& work);

/// Vectors by their index in the ring.
struct Iterate {
  std::size_t vector = 0;     ///< the last one examined; positive unless steps lost a component
  std::size_t next = 0;       ///< the one that the next round reads
  bool has_ratios = false;    ///< the workspace's ratios are those of `vector`
  bool has_evidence = false;  ///< so is the evidence, which has been read
};

/// The vector of ones.
template <class Component>
Iterate ones(const Workspace<Component>& work);

/// Index in the ring of the i-th vector after `from.next`.
template <class Component>
std::size_t place(const Workspace<Component>& work, const Iterate& from, std::size_t i) {
  return (from.next + i) % work.vectors.size();
}

/// Enqueues rounds, the first from the i-th vector after `from.next` to the one after that. With a
/// ring of more than two vectors it is the only one.
template <class Component>
void enqueue_rounds(const Workspace<Component>& work, const kernels::Plan& plan,
                    const Iterate& from, std::size_t i, std::size_t rounds = 1);

}  // namespace tessera::inline v0::eigen
