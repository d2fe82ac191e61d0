// Implicit rounds in batches, with Krylov restarts between them if requested.
#include "eigen/iterate.hpp"

#include <algorithm>

#include "eigen/implicit_round.hpp"

namespace tessera::inline v0::eigen {
namespace {

bool restarts(const EigenOptions& options) { return options.acceleration == Acceleration::krylov; }

/// The i-th vector after `from.next`.
template <class Component>
std::size_t place(const Workspace<Component>& work, const Iterate& from, std::size_t i) {
  return (from.next + i) % work.vectors.size();
}

/// While the device works: allocates what the certificate reads into and, for a restart, fetches
/// the vectors of a full batch and the one that follows.
template <class Component>
void prepare(const Workspace<Component>& work, const Iterate& from, cl_uint next, cl_uint batch) {
  const std::size_t n = work.stage.n;
  work.host.vector.resize(n * kComponents<Component>);
  work.host.ratios.resize(n * kComponents<Component>);
  if (!restarts(work.options) || batch != kBatch) return;
  for (cl_uint k = 0; k <= kBatch; k++) {
    work.host.restart.fetch(work.submission, n, k,
                            work.vectors[place(work, from, next - kBatch + k)]);
  }
}

/// Between full batches: replaces the vector that the next round reads with a better one, if any.
template <class Component>
void restart(const Workspace<Component>& work, const Rounds<Component>& rounds, const Iterate& from,
             cl_uint first, cl_uint next) {
  std::vector<double> factors;
  for (cl_uint k = kBatch; k > 0; k--) factors.push_back(rounds.scale(first + next - k));
  work.host.restart.apply(work.submission, factors, work.vectors[place(work, from, next)]);
}

}  // namespace

template <class Component>
Workspace<Component> make_workspace(runtime::Submission& submission, HostBuffers<Component>& host,
                                    const SolverPlans& plans, const EigenOptions& options,
                                    const Stage& stage, const MatrixArgument& a) {
  const auto scratch = [&] {
    return submission.scratch(stage.n * kComponents<Component> * sizeof(Component),
                              "vectors of a solve");
  };
  std::vector<cl::Buffer> vectors(restarts(options) ? kBatch + 1 : 2);
  for (cl::Buffer& vector : vectors) vector = scratch();
  return {options, plans, submission, host, stage, a, std::move(vectors), scratch()};
}

template <class Component>
Iterate ones(const Workspace<Component>& work) {
  const std::size_t n = work.stage.n;
  work.submission.launch(work.plans.begin->kernel("_ones"), cover(n, {64, 1}), cl_ulong{n},
                         work.vectors[0]);
  return {};
}

template <class Component>
void enqueue_round(const Workspace<Component>& work, const kernels::Plan& plan, const Iterate& from,
                   std::size_t i) {
  implicit_round_table().enqueue(plan,
                                 {work.stage, work.a, &work.vectors[place(work, from, i)],
                                  &work.vectors[place(work, from, i + 1)], &work.ratios},
                                 work.submission);
}

template <class Component>
Iterate iterate(const Workspace<Component>& work, Rounds<Component>& rounds, const Iterate& from,
                double tolerance) {
  const auto& plans = work.plans;
  const cl_ulong n = work.stage.n;
  const cl_uint first = rounds.next();
  const auto limits = limits_of<Component>(work.options, n, tolerance);
  if (first > 0)
    work.submission.launch(plans.begin->kernel("_again"), {{1, 1}, {1, 1}}, rounds.buffer(), first);
  const auto enqueue = [&](cl_uint i) {
    enqueue_round(work, first + i == 0 ? *plans.validating_round : *plans.round, from, i);
    work.submission.launch(plans.conclude->kernel(),
                           {{1, 1}, {plans.conclude->size("LOCAL_SIZE"), 1}}, rounds.buffer(),
                           limits, kSmallest<Component>, n, work.ratios,
                           work.vectors[place(work, from, i + 1)]);
  };
  const auto meanwhile = [&](cl_uint next, cl_uint batch) { prepare(work, from, next, batch); };
  const auto between = [&](cl_uint next, cl_uint batch) {
    if (restarts(work.options) && batch == kBatch) restart(work, rounds, from, first, next);
  };
  rounds.run(limits, enqueue, {.meanwhile = meanwhile, .between = between});
  const auto& state = rounds.state();
  if (state.halt == Halt::bad_input) throw BadRow{state.bad_row};
  const cl_uint done = state.rounds - first;
  // After an underflow the next vector is not positive.
  const bool has_next = state.halt != Halt::underflow;
  return {.vector = place(work, from, done),
          .next = place(work, from, has_next ? done + 1 : done),
          .has_ratios = true};
}

template <class Component>
Limits<Component> limits_of(const EigenOptions& options, std::size_t n, double tolerance) {
  const bool by_bounds = options.stop == StopTest::bounds;
  // After a restart the bounds are wider for some rounds.
  const cl_uint patience = restarts(options) ? 8 * kBatch : 32;
  return {.tolerance = static_cast<Component>(by_bounds ? tolerance : options.neighbour_tolerance),
          .by_neighbours = by_bounds ? 0u : 1u,
          .max_rounds = options.max_rounds,
          .patience = patience,
          .kept = kBatch,
          .long_patience =
              static_cast<cl_uint>(std::min<std::size_t>(n + patience, options.max_rounds))};
}

#define TESSERA_ITERATE(Component)                                                               \
  template Workspace<Component> make_workspace(runtime::Submission&, HostBuffers<Component>&,    \
                                               const SolverPlans&, const EigenOptions&,          \
                                               const Stage&, const MatrixArgument&);             \
  template Iterate ones(const Workspace<Component>&);                                            \
  template void enqueue_round(const Workspace<Component>&, const kernels::Plan&, const Iterate&, \
                              std::size_t);                                                      \
  template Iterate iterate(const Workspace<Component>&, Rounds<Component>&, const Iterate&,      \
                           double);                                                              \
  template Limits<Component> limits_of(const EigenOptions&, std::size_t, double);
TESSERA_ITERATE(float)
TESSERA_ITERATE(double)
#undef TESSERA_ITERATE

}  // namespace tessera::inline v0::eigen
