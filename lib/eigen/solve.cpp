// The solver: rounds by one of the methods, then a certificate, and more of both while that helps.
#include "eigen/solve.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "eigen/first_solve.hpp"
#include "eigen/next_phase.hpp"
#include "eigen/precision.hpp"
#include "eigen/proof.hpp"
#include "eigen/solve_apart.hpp"
#include "eigen/steps.hpp"
#include "runtime/capabilities.hpp"

namespace tessera::inline v0::eigen {
namespace {

Progress progress_of(const Rounds& rounds) { return {rounds.state().halt, rounds.state().rounds}; }

/// The method's own rounds; steps continue as implicit rounds if that can help.
Iterated first_rounds(const Workspace& work, Rounds& rounds, double tolerance) {
  const bool restarts = work.options.acceleration == Acceleration::krylov;
  if (!work.plans.steps) return iterate(work, rounds, {}, tolerance, restarts);
  const Iterate stepped = run_steps(work, rounds, tolerance);
  return continues_implicitly(progress_of(rounds), work.options)
             ? iterate(work, rounds, stepped, tolerance, restarts)
             : Iterated{stepped, restarts};
}

/// True if a component is close to the lower end of the type's range.
bool sinks(const Evidence& evidence, ElementType type) {
  const double smallest =
      type == ElementType::float64 ? smallest_of(Wide::one_double) : smallest_of(Wide::two_floats);
  return !(evidence.minimum >= smallest);
}

Precision precision_of(const Workspace& work, bool flushes) {
  return eigen::precision_of(work.plans.pass->mode.accumulator, work.step.type, work.step.n,
                             flushes);
}

/// Returns nothing if the vector lost a component. The row sums of A itself always give a
/// certificate, unless one overflows: then throws BadRow.
std::optional<Certificate> certify(const Workspace& work, Rounds& rounds, const Iterate& iterate,
                                   Phase last) {
  const Evidence evidence = evidence_of(work, rounds, iterate);
  // Steps multiply factors of at most 1 into their vector, and may sink with it.
  if (last == Phase::rounds && work.plans.steps && sinks(evidence, work.step.type)) return {};
  const bool flushes = rounds.state().flushes ||
                       !runtime::capabilities(work.submission.stream()).has_float_denormals;
  const auto certificate = certify(evidence, precision_of(work, flushes));
  if (!certificate && last == Phase::row_sums) throw BadRow{*evidence.unproven_row};
  return certificate;
}

/// Where a solve ended: the result's certificate, and the last phase.
struct Solution {
  Certificate certificate;
  Phase last;
};

/// Alternates rounds and certificates until there is nothing more to gain. Throws BadRow.
Solution find(const Workspace& work, Rounds& rounds) {
  const double relative = precision_of(work, false).relative;
  double tolerance = tolerance_of_rounds(work.options, relative, work.plans.rounds_prove);
  auto [at, restarts] = first_rounds(work, rounds, tolerance);
  at = with_ratios(work, at);
  Phase last = Phase::rounds;
  auto certificate = certify(work, rounds, at, last);
  for (;;) {
    const Phase phase = next_phase(last, progress_of(rounds), certificate, work.options, relative);
    if (phase == Phase::done) return {certificate.value(), last};
    if (phase == Phase::tighten) tolerance /= 2;
    if (phase == Phase::from_ones || phase == Phase::row_sums) at = ones(work);
    if (phase != Phase::row_sums) {
      const Iterated further = iterate(work, rounds, at, tolerance, restarts);
      at = further.iterate;
      restarts = further.restarts;
    }
    at = with_ratios(work, at);
    certificate = certify(work, rounds, at, phase);
    last = phase;
  }
}

/// At least the residual of the vector when its components, except those below the type's range,
/// are rounded to the type.
double residual_of_rounded(const Certificate& proof, ElementType type) {
  const double rounding = type == ElementType::float64 ? 0x1p-53 : 0x1p-24;
  return proof.residual + rounding * (1 + proof.upper / proof.value);
}

}  // namespace

std::vector<KernelRun> runs_of(const SolverPlans& plans) {
  std::vector<KernelRun> runs;
  for (const auto& plan : plans.operations()) runs.push_back(detail::Access::make<KernelRun>(plan));
  return runs;
}

detail::EigenPairOperand solve(const SolverPlans& plans, const detail::Operand& a,
                               const EigenOptions& options) {
  const std::size_t n = a.rows();
  auto vector = detail::allocate(options.stream.value_or(detail::stream_of(a)), a.type, n, 1);
  runtime::Submission submission(
      runtime::stream_for("dominant_eigenpair", options.stream, *a.stream),
      {{a.memory.get(), runtime::Access::read}, {vector.memory.get(), runtime::Access::write}},
      options.wait_for);
  Rounds rounds(submission, plans.wide(), n);
  auto work =
      make_workspace(submission, submission.host_memory<Restart>(plans.wide()), plans, options,
                     {a.type, n, &rounds.buffer()}, matrix_argument(a), vector.memory->buffer());
  const auto [proof, last] = find(work, rounds);
  auto [started, finished] = submission.finish();
  const Progress progress = progress_of(rounds);
  const EigenReason reason = ending(last, progress, proof, options);
  return {{.value = proof.value,
           .lower = proof.lower,
           .upper = proof.upper,
           .residual = residual_of_rounded(proof, a.type),
           .rounds = progress.rounds,
           .converged = reason == EigenReason::converged,
           .reason = reason,
           .history = options.history ? rounds.history() : std::vector<EigenBounds>(),
           .ran = runs_of(plans),
           .started = std::move(started),
           .finished = std::move(finished)},
          std::move(vector)};
}

SolverPlans checked_plans(runtime::Stream& stream, ElementType type, std::size_t n,
                          const EigenOptions& options) {
  auto plans = solver_plans(stream, type, n, options);
  survive_first_solve(stream, plans, type, options);
  check_first_solve(stream, plans, type, options, std::bind_front(solve, std::cref(plans)));
  return plans;
}

}  // namespace tessera::inline v0::eigen
