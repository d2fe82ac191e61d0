// Implicit rounds in batches, with Krylov restarts between them if requested.
#include "eigen/iterate.hpp"

#include <algorithm>

#include "eigen/completion.hpp"
#include "eigen/implicit_round.hpp"

namespace tessera::inline v0::eigen {
namespace {

template <class Component>
cl::Buffer scratch_vector(const Workspace<Component>& work) {
  return work.submission.scratch(work.stage.n * kComponents<Component> * sizeof(Component),
                                 "vectors of a solve");
}

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
  if (!work.restarts || batch != kBatch) return;
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

/// The library's own choice to restart ends where the host would be as quick without rounds.
template <class Component>
cl_uint rounds_worth(const Workspace<Component>& work) {
  constexpr cl_uint kEndless = 1u << 31;
  if (work.options.acceleration != Acceleration::automatic || !work.restarts) return kEndless;
  const std::size_t n = work.stage.n;
  return n > kLargestOnHost ? kEndless : static_cast<cl_uint>(8 * kBatch + 3 * n);
}

}  // namespace

template <class Component>
Workspace<Component> make_workspace(runtime::Submission& submission, HostBuffers<Component>& host,
                                    const SolverPlans& plans, const EigenOptions& options,
                                    const Stage& stage, const MatrixArgument& a) {
  Workspace<Component> work{options, plans, submission, host, stage, a, {}, {}, false};
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
  const auto limits = limits_of(work, first, tolerance);
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
    if (work.restarts && batch == kBatch) restart(work, rounds, from, first, next);
  };
  rounds.run(limits, enqueue,
             {.ends_slow = work.may_accelerate(), .meanwhile = meanwhile, .between = between});
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
Limits<Component> limits_of(const Workspace<Component>& work, cl_uint first, double tolerance) {
  const EigenOptions& options = work.options;
  const std::size_t n = work.stage.n;
  const bool by_bounds = options.stop == StopTest::bounds;
  // After a restart the bounds are wider for some rounds.
  const cl_uint patience = work.restarts ? 8 * kBatch : 32;
  return {.tolerance = static_cast<Component>(by_bounds ? tolerance : options.neighbour_tolerance),
          .by_neighbours = by_bounds ? 0u : 1u,
          .max_rounds = std::min(options.max_rounds, first + rounds_worth(work)),
          .patience = patience,
          .kept = kBatch,
          .long_patience =
              static_cast<cl_uint>(std::min<std::size_t>(n + patience, options.max_rounds))};
}

#define TESSERA_ITERATE(Component)                                                               \
  template Workspace<Component> make_workspace(runtime::Submission&, HostBuffers<Component>&,    \
                                               const SolverPlans&, const EigenOptions&,          \
                                               const Stage&, const MatrixArgument&);             \
  template void add_restarts(Workspace<Component>&);                                             \
  template Iterate ones(const Workspace<Component>&);                                            \
  template void enqueue_round(const Workspace<Component>&, const kernels::Plan&, const Iterate&, \
                              std::size_t);                                                      \
  template Iterate iterate(const Workspace<Component>&, Rounds<Component>&, const Iterate&,      \
                           double);                                                              \
  template Limits<Component> limits_of(const Workspace<Component>&, cl_uint, double);
TESSERA_ITERATE(float)
TESSERA_ITERATE(double)
#undef TESSERA_ITERATE

}  // namespace tessera::inline v0::eigen
