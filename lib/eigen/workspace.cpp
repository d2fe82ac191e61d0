// Memory of a solve, the vector of ones, and one round.
#include "eigen/workspace.hpp"

#include "eigen/implicit_round.hpp"

namespace tessera::inline v0::eigen {
namespace {

template <class Component>
cl::Buffer scratch_vector(const Workspace<Component>& work) {
  return work.submission.scratch(work.stage.n * kComponents<Component> * sizeof(Component),
                                 "vectors of a solve");
}

}  // namespace

template <class Component>
Workspace<Component> make_workspace(runtime::Submission& submission, Restart<Component>& restart,
                                    const SolverPlans& plans, const EigenOptions& options,
                                    const Stage& stage, const MatrixArgument& a,
                                    const cl::Buffer& result) {
  Workspace<Component> work{options, plans, submission, restart, stage, a, result, {}, {}, false};
  for (int i = 0; i < 2; i++) work.vectors.push_back(scratch_vector(work));
  work.ratios = scratch_vector(work);
  if (options.acceleration == Acceleration::krylov) add_restarts(work);
  return work;
}

template <class Component>
void add_restarts(Workspace<Component>& work) {
  while (work.vectors.size() < kBatch + 1) work.vectors.push_back(scratch_vector(work));
  work.restarts = true;
}

template <class Component>
Iterate ones(const Workspace<Component>& work) {
  const std::size_t n = work.stage.n;
  work.submission.launch(work.plans.begin->kernel("_ones"), cover(n, {64, 1}), cl_ulong{n},
                         work.vectors[0]);
  return {};
}

template <class Component>
void enqueue_rounds(const Workspace<Component>& work, const kernels::Plan& plan,
                    const Iterate& from, std::size_t i, std::size_t rounds) {
  implicit_round_table().enqueue(
      plan,
      {work.stage, work.a, &work.vectors[place(work, from, i)],
       &work.vectors[place(work, from, i + 1)], &work.ratios, rounds, work.plans.conclude.get()},
      work.submission);
}

#define TESSERA_WORKSPACE(Component)                                                              \
  template Workspace<Component> make_workspace(                                                   \
      runtime::Submission&, Restart<Component>&, const SolverPlans&, const EigenOptions&,         \
      const Stage&, const MatrixArgument&, const cl::Buffer&);                                    \
  template void add_restarts(Workspace<Component>&);                                              \
  template Iterate ones(const Workspace<Component>&);                                             \
  template void enqueue_rounds(const Workspace<Component>&, const kernels::Plan&, const Iterate&, \
                               std::size_t, std::size_t);
TESSERA_WORKSPACE(float)
TESSERA_WORKSPACE(double)
#undef TESSERA_WORKSPACE

}  // namespace tessera::inline v0::eigen
