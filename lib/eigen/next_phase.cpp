// Decisions of a solve, as functions of its progress and certificate.
#include "eigen/next_phase.hpp"

#include <algorithm>
#include <limits>

namespace tessera::inline v0::eigen {
namespace {

bool can_go_on(const Progress& progress, const EigenOptions& options) {
  return progress.rounds < options.max_rounds && progress.halt != Halt::max_rounds &&
         progress.halt != Halt::underflow;
}

bool is_within(const Certificate& certificate, double tolerance) {
  return certificate.lower <= certificate.upper &&
         certificate.upper < std::numeric_limits<double>::infinity() &&
         certificate.upper - certificate.lower <= tolerance * certificate.upper;
}

/// True if a few more rounds would bring the interval within the tolerance.
bool is_near(const Certificate& certificate, double tolerance, double relative) {
  return !is_within(certificate, tolerance) && is_within(certificate, 4 * tolerance) &&
         3 * relative < tolerance;
}

}  // namespace

Phase next_phase(Phase last, const Progress& progress,
                 const std::optional<Certificate>& certificate, const EigenOptions& options,
                 double relative) {
  if (last == Phase::row_sums) return Phase::done;
  if (!certificate) {
    // Steps lost a component: implicit rounds from the vector of ones preserve more.
    const bool by_steps = last == Phase::rounds && options.method != EigenMethod::implicit;
    return by_steps && can_go_on(progress, options) ? Phase::from_ones : Phase::row_sums;
  }
  const bool can_tighten = last != Phase::tighten && options.stop == StopTest::bounds &&
                           progress.halt == Halt::converged && can_go_on(progress, options);
  return can_tighten && is_near(*certificate, options.tolerance, relative) ? Phase::tighten
                                                                           : Phase::done;
}

bool continues_implicitly(const Progress& steps, const EigenOptions& options) {
  return (options.stop == StopTest::bounds || steps.halt == Halt::overflow) &&
         can_go_on(steps, options);
}

double tolerance_of_rounds(const EigenOptions& options, double relative, bool rounds_prove) {
  const double half = options.tolerance / 2;  // if a separate pass recomputes the ratios
  return rounds_prove ? std::max(options.tolerance - 3 * relative, half) : half;
}

EigenReason ending(Phase last, const Progress& progress, const Certificate& certificate,
                   const EigenOptions& options) {
  const bool rounds_converged = progress.halt == Halt::converged;
  const bool converged = options.stop == StopTest::bounds
                             ? is_within(certificate, options.tolerance)
                             : rounds_converged && last != Phase::row_sums;
  if (converged) return EigenReason::converged;
  if (rounds_converged)
    return progress.rounds >= options.max_rounds ? EigenReason::max_rounds : EigenReason::stalled;
  switch (progress.halt) {
    case Halt::max_rounds:
      if (progress.rounds >= options.max_rounds) return EigenReason::max_rounds;
      return EigenReason::stalled;
    case Halt::none:
    case Halt::stalled: return EigenReason::stalled;
    default: return EigenReason::underflow;  // or a component near zero made a ratio overflow
  }
}

}  // namespace tessera::inline v0::eigen
