// The solver: rounds by one of the methods, then a certificate, and more of both while that helps.
#include "eigen/solve.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "eigen/first_solve.hpp"
#include "eigen/next_phase.hpp"
#include "eigen/precision.hpp"
#include "eigen/proof.hpp"
#include "eigen/solve_apart.hpp"
#include "eigen/steps.hpp"
#include "operands/element.hpp"
#include "runtime/capabilities.hpp"

namespace tessera::inline v0::eigen {
namespace {

template <class Component>
Progress progress_of(const Rounds<Component>& rounds) {
  return {rounds.state().halt, rounds.state().rounds};
}

/// The method's own rounds; steps continue as implicit rounds if that can help.
template <class Component>
Iterate first_rounds(Workspace<Component>& work, Rounds<Component>& rounds, double tolerance) {
  if (!work.plans.steps) return iterate(work, rounds, {}, tolerance);
  const Iterate stepped = run_steps(work, rounds, tolerance);
  return continues_implicitly(progress_of(rounds), work.options)
             ? iterate(work, rounds, stepped, tolerance)
             : stepped;
}

/// Whether a component is close to the end of the type's range.
bool sinks(const Evidence& evidence, ElementType type) {
  const double smallest =
      type == ElementType::float64 ? kSmallest<double> : double{kSmallest<float>};
  return !(evidence.minimum >= smallest);
}

template <class Component>
Precision precision_of(const Workspace<Component>& work, bool flushes) {
  return eigen::precision_of(work.plans.pass->mode.accumulator, work.step.type, work.step.n,
                             flushes);
}

/// Returns nothing if the vector lost a component. The row sums of A itself always give a
/// certificate, unless one overflows: then throws BadRow.
template <class Component>
std::optional<Certificate> certify(const Workspace<Component>& work, Rounds<Component>& rounds,
                                   const Iterate& iterate, Phase last) {
  const Evidence evidence = evidence_of(work, rounds, iterate);
  // Steps multiply factors of at most 1 into their vector, and may sink with it.
  if (last == Phase::rounds && work.plans.steps && sinks(evidence, work.step.type)) return {};
  const bool flushes = rounds.state().flushes != 0 ||
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
template <class Component>
Solution find(Workspace<Component>& work, Rounds<Component>& rounds) {
  const double relative = precision_of(work, false).relative;
  double tolerance = tolerance_of_rounds(work.options, relative, work.plans.rounds_prove);
  Iterate at = with_ratios(work, first_rounds(work, rounds, tolerance));
  Phase last = Phase::rounds;
  auto certificate = certify(work, rounds, at, last);
  for (;;) {
    const Phase phase = next_phase(last, progress_of(rounds), certificate, work.options, relative);
    if (phase == Phase::done) return {certificate.value(), last};
    if (phase == Phase::tighten) tolerance /= 2;
    if (phase == Phase::from_ones || phase == Phase::row_sums) at = ones(work);
    if (phase != Phase::row_sums) at = iterate(work, rounds, at, tolerance);
    at = with_ratios(work, at);
    certificate = certify(work, rounds, at, phase);
    last = phase;
  }
}

/// The kernels that ran, without events: an operation's commands are spread over the whole solve.
std::vector<KernelRun> runs_of(const SolverPlans& plans) {
  std::vector<KernelRun> runs;
  for (const auto& plan : plans.operations()) runs.push_back({plan});
  return runs;
}

/// At least the residual of the vector when its components, except those below T's range, are
/// rounded to T.
template <Real T>
double residual_of_rounded(const Certificate& proof) {
  const double rounding = std::numeric_limits<T>::epsilon() / 2;
  return proof.residual + rounding * (1 + proof.upper / proof.value);
}

/// `Component` is the type in the plans' vectors: double, or float for two floats.
template <Real T, class Component>
EigenPair<T> solve_with(const SolverPlans& plans, const ConstMatrixView<T>& a,
                        const EigenOptions& options) {
  const std::size_t n = a.rows();
  const MatrixLayout& from = a.layout();
  Matrix<T> vector(options.stream.value_or(a.stream()), n, 1);
  const MatrixLayout to = vector.view().layout();
  runtime::Submission submission(
      runtime::stream_for("dominant_eigenpair", options.stream, *from.stream),
      {{from.memory.get(), runtime::Access::read}, {to.memory.get(), runtime::Access::write}},
      options.wait_for);
  Rounds<Component> rounds(submission, n);
  auto work = make_workspace(submission, submission.host_memory<Restart<Component>>(), plans,
                             options, {operands::kElementType<T>, n, &rounds.buffer()},
                             matrix_argument(from), to.memory->buffer());
  const auto [proof, last] = find(work, rounds);
  auto [started, finished] = submission.finish();
  const Progress progress = progress_of(rounds);
  const EigenReason reason = ending(last, progress, proof, options);
  return {.value = proof.value,
          .lower = proof.lower,
          .upper = proof.upper,
          .residual = residual_of_rounded<T>(proof),
          .vector = std::move(vector),
          .rounds = progress.rounds,
          .converged = reason == EigenReason::converged,
          .reason = reason,
          .structure = {},
          .history = options.history ? rounds.history() : std::vector<EigenBounds>(),
          .ran = runs_of(plans),
          .started = std::move(started),
          .finished = std::move(finished)};
}

template <Real T>
EigenPair<T> solve_by(const SolverPlans& plans, const ConstMatrixView<T>& a,
                      const EigenOptions& options) {
  if constexpr (std::is_same_v<T, float>) {
    if (plans.accumulator == Accumulator::two_floats)
      return solve_with<float, float>(plans, a, options);
  }
  return solve_with<T, double>(plans, a, options);
}

}  // namespace

template <Real T>
EigenPair<T> solve(const ConstMatrixView<T>& a, const EigenOptions& options) {
  runtime::Stream& stream = *a.layout().stream;
  const auto plans = solver_plans(stream, operands::kElementType<T>, a.rows(), options);
  survive_first_solve(stream, plans, operands::kElementType<T>, options);
  check_first_solve<T>(stream, plans, options, std::bind_front(solve_by<T>, std::cref(plans)));
  return solve_by(plans, a, options);
}

template EigenPair<float> solve(const ConstMatrixView<float>&, const EigenOptions&);
template EigenPair<double> solve(const ConstMatrixView<double>&, const EigenOptions&);

}  // namespace tessera::inline v0::eigen
