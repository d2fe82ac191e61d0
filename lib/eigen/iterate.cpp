// Implicit rounds in batches, with Krylov restarts between them if requested or where they pay.
#include "eigen/iterate.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "eigen/closing.hpp"
#include "eigen/irreducible.hpp"
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
  return expected_costs(work.step.n,
                        n * n * static_cast<double>(operands::element_size(work.step.type)),
                        runtime::capabilities(work.submission.stream()));
}

/// The library's own choice to restart ends where the host would be as quick without rounds.
cl_uint max_own_rounds(const Workspace& work) {
  constexpr cl_uint kEndless = 1u << 31;
  const std::size_t n = work.step.n;
  const bool own = work.options.acceleration == Acceleration::automatic && work.restarts;
  if (!own || n > kLargestOnHost) return kEndless;
  const double worth = std::max(rounds_worth(costs_of(work)), 3.0 * static_cast<double>(n));
  return 8 * kBatch + static_cast<cl_uint>(std::min(worth, 1e9));
}

/// The nearest number of a component's type.
double rounded(double value, Wide wide) {
  return wide == Wide::two_floats ? static_cast<double>(static_cast<float>(value)) : value;
}

/// With a large matrix, rounds that have nothing left to do are cheaper than another wait.
cl_uint first_batch(std::size_t n) {
  constexpr std::size_t kLarge = 4096;
  return n > kLarge ? kLongBatch : kBatch;
}

/// Rounds until one of the limits is reached, or until restarts would pay. Throws BadRow.
Iterate run_rounds(const Workspace& work, Rounds& rounds, const Iterate& from, double tolerance) {
  const auto& plans = work.plans;
  const cl_uint first = rounds.next();
  const std::size_t earlier = rounds.history().size();
  const auto limits = limits_of(work, first, tolerance);
  begin_rounds(work, rounds, limits);
  const auto enqueue = [&](cl_uint i, cl_uint count) {
    const bool is_first = first + i == 0;
    const cl_uint number = is_first ? 1 : count;
    enqueue_rounds(work, is_first ? *plans.validating_round : *plans.round, from, i, number);
    return number;
  };
  const auto ends = [&] { return is_slow(work, rounds, earlier, tolerance); };
  const auto meanwhile = [&](cl_uint, cl_uint batch) {
    if (plans.rounds_prove) enqueue_finish(work, rounds, from, first);
    if (work.restarts && batch == kBatch)
      work.restart.fetch(work.submission, work.ring, work.vectors);
  };
  const auto between = [&](cl_uint next, cl_uint batch) {
    if (work.restarts && batch == kBatch)
      restart(work, rounds, place(work, from, next), first + next);
  };
  rounds.run(limits, enqueue,
             {.phase = work.restarts ? "rounds with restarts" : "implicit rounds",
              .progress = work.options.progress,
              .first_batch = work.restarts ? kBatch : first_batch(work.step.n),
              .ends = ends,
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
          .has_evidence = plans.rounds_prove && state.halt != Halt::none};
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

bool is_slow(const Workspace& work, const Rounds& rounds, std::size_t earlier, double tolerance) {
  const auto history = std::span(rounds.history()).subspan(earlier);
  return work.may_accelerate() && restarts_pay(closing_of(history, tolerance), costs_of(work));
}

Iterate iterate(Workspace& work, Rounds& rounds, const Iterate& from, double tolerance) {
  const cl_uint first = rounds.next();
  const Iterate slow = run_rounds(work, rounds, from, tolerance);
  if (rounds.state().halt != Halt::none) return slow;
  work.restarts = true;
  if (rounds.next() - first >= kBatch) {
    work.restart.fetch(work.submission, work.ring, work.vectors, true);
    restart(work, rounds, slow.next, rounds.next());
  }
  return run_rounds(work, rounds, slow, tolerance);
}

Limits limits_of(const Workspace& work, cl_uint first, double tolerance) {
  const EigenOptions& options = work.options;
  const std::size_t n = work.step.n;
  const bool by_bounds = options.stop == StopTest::bounds;
  // After a restart the bounds are wider for some rounds.
  const cl_uint patience = work.restarts ? 8 * kBatch : 32;
  return {.tolerance = rounded(by_bounds ? tolerance : options.neighbour_tolerance, work.wide),
          .smallest = smallest_of(work.wide),
          .by_neighbours = !by_bounds,
          .max_rounds = std::min(options.max_rounds, first + max_own_rounds(work)),
          .patience = patience,
          .conclusion = work.plans.conclude ? Conclusion::by_launch : Conclusion::by_last_group,
          .long_patience =
              static_cast<cl_uint>(std::min<std::size_t>(n + patience, options.max_rounds))};
}

}  // namespace tessera::inline v0::eigen
