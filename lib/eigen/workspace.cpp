// Memory of a solve, the vector of ones, and one round.
#include "eigen/workspace.hpp"

#include "eigen/device_state.hpp"
#include "eigen/implicit_round.hpp"

namespace tessera::inline v0::eigen {
namespace {

/// Bytes from one vector of a ring to the next, in whole cache lines.
std::size_t pitch_of(std::size_t n) {
  constexpr std::size_t kLine = 64;
  return divide_up(n * kWideSize, kLine) * kLine;
}

}  // namespace

Workspace make_workspace(runtime::Submission& submission, Restart& restart,
                         const SolverPlans& plans, const EigenOptions& options,
                         const StepArguments& step, const MatrixArgument& a,
                         const cl::Buffer& result) {
  Workspace work{options, plans, submission, restart, step, a, result, {}, {}, {}, plans.wide()};
  // Restarts need the vectors of a batch.
  const bool can_restart = work.may_accelerate() || options.acceleration == Acceleration::krylov;
  const std::size_t pitch = pitch_of(step.n);
  work.ring = {pitch / component_size(work.wide), can_restart ? kBatch + 1 : 2, 0};
  const auto scratch = [&](std::size_t vectors) {
    return submission.lasting_scratch(vectors * pitch, "vectors of a solve");
  };
  work.vectors = scratch(work.ring.size);
  work.ratios = scratch(1);
  return work;
}

Iterate ones(const Workspace& work) {
  const std::size_t n = work.step.n;
  runtime::Kernel& kernel = work.plans.begin->kernel("_ones");
  work.submission.launch(kernel, cover(n, kernel), cl_ulong{n}, work.vectors);
  return {};
}

void enqueue_rounds(const Workspace& work, const kernels::Plan& plan, const Iterate& from,
                    std::size_t i, std::size_t rounds) {
  implicit_round_table().enqueue(
      plan,
      {work.step, work.a, &work.vectors, &work.vectors, &work.ratios,
       ring_from(work, place(work, from, i)), rounds, work.plans.conclude.get()},
      work.submission);
}

}  // namespace tessera::inline v0::eigen
