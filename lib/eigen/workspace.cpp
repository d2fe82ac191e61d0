// Memory of a solve, the vector of ones, and one round.
#include "eigen/workspace.hpp"

#include "eigen/implicit_round.hpp"

namespace tessera::inline v0::eigen {
namespace {

/// Vectors begin at whole cache lines.
template <class Component>
cl_ulong stride_of(std::size_t n) {
  constexpr std::size_t kLine = 64 / sizeof(Component);
  return divide_up(n * kComponents<Component>, kLine) * kLine;
}

}  // namespace

template <class Component>
Workspace<Component> make_workspace(runtime::Submission& submission, Restart<Component>& restart,
                                    const SolverPlans& plans, const EigenOptions& options,
                                    const StepArguments& step, const MatrixArgument& a,
                                    const cl::Buffer& result) {
  const bool restarts = options.acceleration == Acceleration::krylov;
  Workspace<Component> work{options, plans, submission, restart, step,    a,
                            result,  {},    {},         {},      restarts};
  const std::size_t stride = stride_of<Component>(step.n);
  work.ring = {stride, work.keeps_batches() ? kBatch + 1 : 2, 0};
  const auto scratch = [&](std::size_t vectors) {
    return submission.scratch(vectors * stride * sizeof(Component), "vectors of a solve");
  };
  work.vectors = scratch(work.ring.size);
  work.ratios = scratch(1);
  return work;
}

template <class Component>
Iterate ones(const Workspace<Component>& work) {
  const std::size_t n = work.step.n;
  runtime::Kernel& kernel = work.plans.begin->kernel("_ones");
  work.submission.launch(kernel, cover(n, kernel), cl_ulong{n}, work.vectors);
  return {};
}

template <class Component>
void enqueue_rounds(const Workspace<Component>& work, const kernels::Plan& plan,
                    const Iterate& from, std::size_t i, std::size_t rounds) {
  implicit_round_table().enqueue(
      plan,
      {work.step, work.a, &work.vectors, &work.vectors, &work.ratios,
       ring_from(work, place(work, from, i)), rounds, work.plans.conclude.get()},
      work.submission);
}

#define TESSERA_WORKSPACE(Component)                                                              \
  template Workspace<Component> make_workspace(                                                   \
      runtime::Submission&, Restart<Component>&, const SolverPlans&, const EigenOptions&,         \
      const StepArguments&, const MatrixArgument&, const cl::Buffer&);                            \
  template Iterate ones(const Workspace<Component>&);                                             \
  template void enqueue_rounds(const Workspace<Component>&, const kernels::Plan&, const Iterate&, \
                               std::size_t, std::size_t);
TESSERA_WORKSPACE(float)
TESSERA_WORKSPACE(double)
#undef TESSERA_WORKSPACE

}  // namespace tessera::inline v0::eigen
