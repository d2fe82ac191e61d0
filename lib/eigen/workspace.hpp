// Workspace: the memory that all rounds of a solve use, and the places of their vectors.
#pragma once

#include <cstddef>

#include "eigen/arguments.hpp"
#include "eigen/restart.hpp"
#include "eigen/solver_plans.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::eigen {

/// The options, plans and memory that all rounds of a solve use.
struct Workspace {
  const EigenOptions& options;
  const SolverPlans& plans;
  runtime::Submission& submission;
  Restart& restart;
  StepArguments step;  ///< its halt word is the state's
  MatrixArgument a;
  const cl::Buffer& result;  ///< the eigenvector in the matrix's type
  Ring ring;                 ///< of vectors: a round reads one and writes the next
  cl::Buffer vectors;        ///< the vectors of the ring
  cl::Buffer ratios;         ///< A v / v
  Wide wide;                 ///< the numbers in both

  /// True if the library chooses when rounds begin to restart.
  bool may_accelerate() const {
    return options.acceleration == Acceleration::automatic && options.stop == StopTest::bounds;
  }
};

Workspace make_workspace(runtime::Submission& submission, Restart& restart,
                         const SolverPlans& plans, const EigenOptions& options,
                         const StepArguments& step, const MatrixArgument& a,
                         const cl::Buffer& result);

/// Vectors by their index in the ring.
struct Iterate {
  std::size_t vector = 0;     ///< the last one examined; positive unless steps lost a component
  std::size_t next = 0;       ///< the one that the next round reads
  bool has_ratios = false;    ///< the workspace's ratios belong to `vector`
  bool has_evidence = false;  ///< so is the evidence, which has been read
};

/// The vector of ones.
Iterate ones(const Workspace& work);

/// Index in the ring of the i-th vector after `from.next`.
inline std::size_t place(const Workspace& work, const Iterate& from, std::size_t i) {
  return (from.next + i) % work.ring.size;
}

/// The ring from the vector with this index on.
inline Ring ring_from(const Workspace& work, std::size_t index) {
  return {work.ring.stride, work.ring.size, static_cast<cl_uint>(index)};
}

/// Enqueues rounds, the first from the i-th vector after `from.next` to the one after that.
void enqueue_rounds(const Workspace& work, const kernels::Plan& plan, const Iterate& from,
                    std::size_t i, std::size_t rounds = 1);

}  // namespace tessera::inline v0::eigen
