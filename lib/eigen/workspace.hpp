// Workspace: what all rounds of a solve work on, and the vectors that they go through.
#pragma once

#include <cstddef>

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
  StepArguments step;  ///< its halt word is the state's
  MatrixArgument a;
  const cl::Buffer& result;  ///< the eigenvector in the matrix's type
  Ring ring;                 ///< of vectors: a round reads one and writes the next
  cl::Buffer vectors;        ///< those of the ring
  cl::Buffer ratios;         ///< A v / v
  bool restarts;             ///< between batches of rounds

  /// Whether rounds are, or may become, ones with restarts. The ring then holds a batch's vectors.
  bool keeps_batches() const { return restarts || may_accelerate(); }

  /// Whether the library may still switch to restarts: the caller left the choice to it.
  bool may_accelerate() const {
    return options.acceleration == Acceleration::automatic && !restarts &&
           options.stop == StopTest::bounds;
  }
};

template <class Component>
Workspace<Component> make_workspace(runtime::Submission& submission, Restart<Component>& restart,
                                    const SolverPlans& plans, const EigenOptions& options,
                                    const StepArguments& step, const MatrixArgument& a,
                                    const cl::Buffer& result);

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
  return (from.next + i) % work.ring.size;
}

/// The ring from the vector with this index on.
template <class Component>
Ring ring_from(const Workspace<Component>& work, std::size_t index) {
  return {work.ring.stride, work.ring.size, static_cast<cl_uint>(index)};
}

/// Enqueues rounds, the first from the i-th vector after `from.next` to the one after that.
template <class Component>
void enqueue_rounds(const Workspace<Component>& work, const kernels::Plan& plan,
                    const Iterate& from, std::size_t i, std::size_t rounds = 1);

}  // namespace tessera::inline v0::eigen
