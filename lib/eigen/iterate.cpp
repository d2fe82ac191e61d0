// Implicit rounds in batches, with Krylov restarts between them if requested.
#include "eigen/iterate.hpp"

#include <algorithm>

#include "eigen/completion.hpp"
#include "eigen/proof.hpp"

namespace tessera::inline v0::eigen {
namespace {

/// While the device works: fetches, for a restart, the vectors of a full batch and the one that
/// follows.
template <class Component>
void fetch(const Workspace<Component>& work, const Iterate& from, cl_uint next, cl_uint batch) {
  if (batch != kBatch) return;
  for (cl_uint k = 0; k <= kBatch; k++) {
    work.restart.fetch(work.submission, work.stage.n, k,
                       work.vectors[place(work, from, next - kBatch + k)]);
  }
}

/// Between full batches: replaces the vector that the next round reads with a better one, if any.
template <class Component>
void restart(const Workspace<Component>& work, const Rounds<Component>& rounds, const Iterate& from,
             cl_uint first, cl_uint next) {
  std::vector<double> factors;
  for (cl_uint k = kBatch; k > 0; k--) factors.push_back(rounds.scale(first + next - k));
  work.restart.apply(work.submission, factors, work.vectors[place(work, from, next)]);
}

/// The library's own choice to restart ends where the host would be as quick without rounds.
template <class Component>
cl_uint rounds_worth(const Workspace<Component>& work) {
  constexpr cl_uint kEndless = 1u << 31;
  if (work.options.acceleration != Acceleration::automatic || !work.restarts) return kEndless;
  const std::size_t n = work.stage.n;
  return n > kLargestOnHost ? kEndless : static_cast<cl_uint>(8 * kBatch + 3 * n);
}

/// With a large matrix a launch that comes to nothing takes less time than to wait once more.
cl_uint first_batch(std::size_t n) {
  constexpr std::size_t kLarge = 4096;
  return n > kLarge ? kLongBatch : kBatch;
}

}  // namespace

template <class Component>
void begin_rounds(const Workspace<Component>& work, const Rounds<Component>& rounds,
                  const Limits<Component>& limits) {
  const kernels::Plan& begin = *work.plans.begin;
  const cl_ulong n = work.stage.n;
  if (rounds.next() == 0) {
    work.submission.launch(begin.kernel(), cover(work.stage.n, {64, 1}), rounds.buffer(), limits, n,
                           work.vectors[0]);
  } else {
    work.submission.launch(begin.kernel("_again"), {{1, 1}, {1, 1}}, rounds.buffer(), limits,
                           rounds.next());
  }
}

template <class Component>
Iterate iterate(const Workspace<Component>& work, Rounds<Component>& rounds, const Iterate& from,
                double tolerance) {
  const auto& plans = work.plans;
  const cl_uint first = rounds.next();
  const auto limits = limits_of(work, first, tolerance);
  begin_rounds(work, rounds, limits);
  const auto enqueue = [&](cl_uint i, cl_uint count) {
    const bool is_first = first + i == 0;
    const cl_uint number = is_first || work.restarts ? 1 : count;
    enqueue_rounds(work, is_first ? *plans.validating_round : *plans.round, from, i, number);
    return number;
  };
  const bool gives_evidence = plans.rounds_prove && !work.restarts;
  const auto meanwhile = [&](cl_uint next, cl_uint batch) {
    if (gives_evidence) enqueue_finish(work, rounds, from, first);
    if (work.restarts) fetch(work, from, next, batch);
  };
  const auto between = [&](cl_uint next, cl_uint batch) {
    if (work.restarts && batch == kBatch) restart(work, rounds, from, first, next);
  };
  rounds.run(limits, enqueue,
             {.first_batch = work.restarts ? kBatch : first_batch(work.stage.n),
              .ends_slow = work.may_accelerate(),
              .meanwhile = meanwhile,
              .between = between});
  const auto& state = rounds.state();
  if (state.halt == Halt::bad_input) throw BadRow{state.bad_row};
  const cl_uint done = state.rounds - first;
  // After an underflow the next vector is not positive.
  const bool has_next = state.halt != Halt::underflow;
  return {.vector = place(work, from, done),
          .next = place(work, from, has_next ? done + 1 : done),
          .has_ratios = true,
          .has_evidence = gives_evidence && state.halt != Halt::none};
}

template <class Component>
Limits<Component> limits_of(const Workspace<Component>& work, cl_uint first, double tolerance) {
  const EigenOptions& options = work.options;
  const std::size_t n = work.stage.n;
  const bool by_bounds = options.stop == StopTest::bounds;
  // After a restart the bounds are wider for some rounds.
  const cl_uint patience = work.restarts ? 8 * kBatch : 32;
  return {.tolerance = static_cast<Component>(by_bounds ? tolerance : options.neighbour_tolerance),
          .smallest = kSmallest<Component>,
          .by_neighbours = by_bounds ? 0u : 1u,
          .max_rounds = std::min(options.max_rounds, first + rounds_worth(work)),
          .patience = patience,
          .conclusion = work.plans.conclude ? Conclusion::by_launch : Conclusion::by_last_group,
          .long_patience =
              static_cast<cl_uint>(std::min<std::size_t>(n + patience, options.max_rounds))};
}

#define TESSERA_ITERATE(Component)                                                          \
  template void begin_rounds(const Workspace<Component>&, const Rounds<Component>&,         \
                             const Limits<Component>&);                                     \
  template Iterate iterate(const Workspace<Component>&, Rounds<Component>&, const Iterate&, \
                           double);                                                         \
  template Limits<Component> limits_of(const Workspace<Component>&, cl_uint, double);
TESSERA_ITERATE(float)
TESSERA_ITERATE(double)
#undef TESSERA_ITERATE

}  // namespace tessera::inline v0::eigen
