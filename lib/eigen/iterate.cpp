// Implicit rounds in batches, with Krylov restarts between them if requested or where they pay.
#include "eigen/iterate.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "eigen/cancelled.hpp"
#include "eigen/closing.hpp"
#include "eigen/irreducible.hpp"
#include "eigen/phase_log.hpp"
#include "eigen/proof.hpp"
#include "operands/element.hpp"
#include "runtime/capabilities.hpp"

namespace tessera::inline v0::eigen {
namespace {

/// After `rounds.next()` rounds and a fetch: replaces the vector that the next round reads, `next`,
/// with a better one, if any.
void restart(const Workspace& work, const Rounds& rounds, std::size_t next, cl_uint next_round) {
  std::vector<double> factors;
  for (cl_uint k = kBatch; k > 0; k--) factors.push_back(rounds.scale(next_round - k));
  work.restart.apply(work.submission, work.step.n, ring_from(work, next + 1), factors,
                     work.vectors);
}

Costs costs_of(const Workspace& work) {
  const double n = static_cast<double>(work.step.n);
  return expected_costs(work.step.n, n * n * static_cast<double>(element_size(work.step.type)),
                        runtime::capabilities(work.submission.stream()));
}

/// The library's own choice to restart ends where the host would be as quick without rounds.
cl_uint max_own_rounds(const Workspace& work, bool restarts) {
  constexpr cl_uint kEndless = 1u << 31;
  const std::size_t n = work.step.n;
  const bool own = work.options.acceleration == Acceleration::automatic && restarts;
  if (!own || n > kLargestOnHost) return kEndless;
  const double worth = std::max(rounds_worth(costs_of(work)), 3.0 * static_cast<double>(n));
  return 8 * kBatch + static_cast<cl_uint>(std::min(worth, 1e9));
}

/// The nearest number of a component's type.
double rounded(double value, Wide wide) {
  return wide == Wide::two_floats ? static_cast<double>(static_cast<float>(value)) : value;
}

/// Rounds in a solve's first batch. With a large matrix, superfluous rounds cost less than a wait.
cl_uint first_batch(std::size_t n) {
  constexpr std::size_t kLarge = 4096;
  return n > kLarge ? kLongBatch : kBatch;
}

/// Enqueues a batch of rounds from `from`, which is the vector of round `first`; the first round of
/// a solve validates the matrix.
void enqueue_batch(const Workspace& work, const Iterate& from, cl_uint first, const Batch& batch) {
  cl_uint begin = batch.begin;
  if (begin == 0) enqueue_rounds(work, *work.plans.validating_round, from, begin++);
  if (begin < batch.end)
    enqueue_rounds(work, *work.plans.round, from, begin - first, batch.end - begin);
}

/// Rounds until one of the limits is reached, or until restarts would pay. Throws BadRow.
Iterate run_rounds(const Workspace& work, Rounds& rounds, const Iterate& from,
                   const RoundsRun& run) {
  const cl_uint first = rounds.next();
  const bool prove = work.plans.rounds_prove;
  const auto limits = limits_of(work, first, run);
  begin_rounds(work, rounds, limits);
  for (;;) {
    const Batch batch = rounds.next_batch(limits, run.restarts ? kBatch : first_batch(work.step.n));
    enqueue_batch(work, from, first, batch);
    if (prove) enqueue_finish(work, rounds, from, first);
    const bool restarts = run.restarts && batch.size() == kBatch;
    if (restarts) work.restart.fetch_async(work.submission, work.ring, work.vectors);
    if (!go_on(work, rounds, batch, run)) break;
    if (restarts) restart(work, rounds, place(work, from, batch.end - first), batch.end);
  }
  const RoundState& state = rounds.state();
  if (state.halt == Halt::bad_input) throw BadRow{state.bad_row};
  const cl_uint done = state.rounds - first;
  // After an underflow the next vector is not positive.
  const bool has_next = state.halt != Halt::underflow;
  return {.vector = place(work, from, done),
          .next = place(work, from, has_next ? done + 1 : done),
          .has_ratios = true,
          .has_evidence = prove && state.halt != Halt::none};
}

/// True if a run without restarts may choose them, and they would pay.
bool is_slow(const Workspace& work, const Rounds& rounds, const RoundsRun& run) {
  const auto history = std::span(rounds.history()).subspan(run.earlier);
  return work.may_accelerate() && !run.restarts &&
         restarts_pay(closing_of(history, run.tolerance), costs_of(work));
}

}  // namespace

void begin_rounds(const Workspace& work, const Rounds& rounds, const Limits& limits) {
  if (rounds.next() > 0) return begin_again(work, rounds, limits, rounds.next());
  runtime::Kernel& begin = work.plans.begin->kernel();
  const cl_ulong n = work.step.n;
  with_component(work.wide, [&]<class Component>(Component) {
    work.submission.launch(begin, cover(n, begin), rounds.buffer(),
                           device_limits<Component>(limits), n, work.vectors);
  });
}

void begin_again(const Workspace& work, const Rounds& rounds, const Limits& limits, cl_uint first) {
  with_component(work.wide, [&]<class Component>(Component) {
    work.submission.launch(work.plans.begin->kernel("_again"), {{1, 1}, {1, 1}}, rounds.buffer(),
                           device_limits<Component>(limits), first);
  });
}

bool go_on(const Workspace& work, Rounds& rounds, const Batch& batch, const RoundsRun& run) {
  bool ended = rounds.has_ended(batch);
  if (!ended && is_slow(work, rounds, run)) {
    rounds.end();
    ended = true;
  }
  if (ended) {
    log_phase(rounds.progress(run.phase), to_string(rounds.state().halt));
    return false;
  }
  if (work.options.progress) work.options.progress(rounds.progress(run.phase));
  throw_if_cancelled(work.options);
  return true;
}

Iterated iterate(const Workspace& work, Rounds& rounds, const Iterate& from, double tolerance,
                 bool restarts) {
  const auto run_of = [&](bool with_restarts) {
    return RoundsRun{with_restarts ? "rounds with restarts" : "implicit rounds",
                     rounds.history().size(), tolerance, with_restarts};
  };
  const cl_uint first = rounds.next();
  const Iterate slow = run_rounds(work, rounds, from, run_of(restarts));
  if (rounds.state().halt != Halt::none) return {slow, restarts};
  if (rounds.next() - first >= kBatch) {
    work.restart.fetch(work.submission, work.ring, work.vectors);
    restart(work, rounds, slow.next, rounds.next());
  }
  return {run_rounds(work, rounds, slow, run_of(true)), true};
}

Limits limits_of(const Workspace& work, cl_uint first, const RoundsRun& run) {
  const EigenOptions& options = work.options;
  const std::size_t n = work.step.n;
  const bool by_bounds = options.stop == StopTest::bounds;
  // After a restart the bounds are wider for some rounds.
  const cl_uint patience = run.restarts ? 8 * kBatch : 32;
  return {.tolerance = rounded(by_bounds ? run.tolerance : options.neighbour_tolerance, work.wide),
          .smallest = smallest_of(work.wide),
          .by_neighbours = !by_bounds,
          .max_rounds = std::min(options.max_rounds, first + max_own_rounds(work, run.restarts)),
          .patience = patience,
          .conclusion = work.plans.conclude ? Conclusion::by_launch : Conclusion::by_last_group,
          .long_patience =
              static_cast<cl_uint>(std::min<std::size_t>(n + patience, options.max_rounds))};
}

}  // namespace tessera::inline v0::eigen
