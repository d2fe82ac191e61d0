// dominant_eigenpair and its plans: check options and shape, run a solve, and report invalid
// elements.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "eigen/cancelled.hpp"
#include "eigen/completion.hpp"
#include "eigen/iterate.hpp"
#include "eigen/offence.hpp"
#include "eigen/solve.hpp"
#include "eigen/solver_plans.hpp"
#include "eigen/transposed.hpp"
#include "operands/numbers.hpp"
#include "runtime/log.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/standard_arithmetic.hpp"
#include "runtime/stream.hpp"
#include "tessera/eigen_plan.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace {

constexpr const char* kName = "dominant_eigenpair";

void check_options(const EigenOptions& options, ElementType type) {
  const auto need_positive = [](const char* name, double value) {
    if (!(value > 0) || !std::isfinite(value))
      throw ArgumentError(
          ErrorCode::invalid_value,
          fmt::format("{}: {} is {}, it must be positive and finite", kName, name, value));
  };
  if (type != ElementType::float32 && type != ElementType::float64)
    throw UnsupportedError(kName, fmt::format("it is not for {}", to_string(type)));
  need_positive("tolerance", options.tolerance);
  need_positive("neighbour_tolerance", options.neighbour_tolerance);
  if (operands::rounded(type, options.neighbour_tolerance) == 0) {
    throw ArgumentError(ErrorCode::invalid_value,
                        fmt::format("{}: neighbour_tolerance is {}, which is 0 in {}", kName,
                                    options.neighbour_tolerance, to_string(type)));
  }
  if (options.acceleration == Acceleration::krylov && options.method != EigenMethod::implicit) {
    throw UnsupportedError(kName, fmt::format("krylov goes with the implicit method, not with {}",
                                              to_string(options.method)));
  }
  for (const auto& [operation, choice] : options.kernels) {
    const auto known = eigen::solver_operations();
    if (std::ranges::find(known, operation) == known.end()) {
      throw ArgumentError(ErrorCode::unknown_name,
                          fmt::format("{}: no operation \"{}\"; there are: {}", kName, operation,
                                      fmt::join(known, ", ")));
    }
  }
}

void check_shape(const detail::Operand& a) {
  if (a.memory == nullptr)
    throw MatrixError(
        ErrorCode::moved_from,
        fmt::format("{}: a has no memory: it is default-constructed or was moved from", kName));
  if (a.rows() != a.columns() || a.rows() == 0) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("{}: a is {} x {}, it must be square and not empty", kName,
                                  a.rows(), a.columns()));
  }
}

/// True if more rounds would not improve the pair.
bool is_stuck(const EigenResult& pair) {
  return pair.reason == EigenReason::stalled || pair.reason == EigenReason::underflow;
}

void tell(const detail::EigenPairOperand& pair, const EigenOptions& options) {
  if (!runtime::log_wanted()) return;
  std::string kernels;
  for (const KernelRun& run : pair.ran)
    kernels += fmt::format(", {}/{} ({})", run.operation(), run.variant(), run.reason());
  runtime::log(fmt::format("{} {} x {} {}: {}, {} after {} iterations{}", kName, pair.vector.rows(),
                           pair.vector.rows(), to_string(pair.vector.type),
                           to_string(options.method), to_string(pair.reason), pair.rounds,
                           kernels));
}

detail::EigenPairOperand solved(const eigen::SolverPlans& plans, const detail::Operand& a,
                                const EigenOptions& options) {
  auto pair = eigen::solve(plans, a, options);
  if (is_stuck(pair)) pair = eigen::complete(a, options, std::move(pair));
  tell(pair, options);
  return pair;
}

/// Throws like dominant_eigenpair() for options and shapes.
eigen::SolverPlans plans_for(const detail::Operand& a, const EigenOptions& options) {
  check_options(options, a.type);
  check_shape(a);
  const runtime::StandardArithmetic arithmetic;
  return runtime::with_opencl_errors(
      [&] { return eigen::checked_plans(*a.stream, a.type, a.rows(), options); },
      [] { return std::string(kName); });
}

detail::EigenPairOperand run(const eigen::SolverPlans& plans, const detail::Operand& a,
                             const EigenOptions& options) {
  eigen::throw_if_cancelled(options);
  const runtime::StandardArithmetic arithmetic;
  try {
    return runtime::with_opencl_errors(
        [&] {
          if (!is_transposed(a.op)) return solved(plans, a, options);
          EigenOptions own = options;
          own.wait_for.clear();  // the copy has waited
          return solved(plans, eigen::transposed(detail::viewed(a, Op::transpose), options), own);
        },
        [] { return std::string(kName); });
  } catch (const eigen::BadRow& bad) {
    throw eigen::offence_in(kName, a, bad.row);
  }
}

}  // namespace

std::string_view to_string(EigenReason reason) {
  constexpr std::array<std::string_view, 4> kNames = {"converged", "max_rounds", "stalled",
                                                      "underflow"};
  return kNames.at(static_cast<std::size_t>(reason));
}

std::string_view to_string(EigenMethod method) {
  constexpr std::array<std::string_view, 3> kNames = {"implicit", "fused", "explicit"};
  return kNames.at(static_cast<std::size_t>(method));
}

std::string_view to_string(Acceleration acceleration) {
  constexpr std::array<std::string_view, 3> kNames = {"automatic", "none", "krylov"};
  return kNames.at(static_cast<std::size_t>(acceleration));
}

std::string_view to_string(EigenStructure::Kind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"unexamined", "primitive", "periodic",
                                                      "reducible"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view to_string(StopTest stop) {
  return stop == StopTest::bounds ? "bounds" : "neighbours";
}

detail::EigenPairOperand detail::dominant_eigenpair(const Operand& a, const EigenOptions& options) {
  eigen::throw_if_cancelled(options);
  return run(plans_for(a, options), a, options);
}

struct detail::EigenPlanState {
  eigen::SolverPlans plans;
  EigenOptions options;  // of every run, except its EigenRunOptions
  ElementType type;
  std::size_t n;
  std::shared_ptr<runtime::Stream> stream;  // keeps the context alive
  std::vector<KernelRun> kernels;
};

EigenPlan detail::plan_dominant_eigenpair(const Operand& a, const EigenOptions& options) {
  auto plans = plans_for(a, options);
  auto kernels = eigen::runs_of(plans);
  return Access::make<EigenPlan>(std::make_shared<const EigenPlanState>(
      EigenPlanState{std::move(plans), options, a.type, a.rows(), a.stream, std::move(kernels)}));
}

const std::vector<KernelRun>& EigenPlan::kernels() const { return state_->kernels; }

detail::EigenPairOperand EigenPlan::run(const detail::Operand& a,
                                        const EigenRunOptions& options) const {
  check_shape(a);
  if (a.type != state_->type || a.rows() != state_->n) {
    throw ArgumentError(
        ErrorCode::invalid_value,
        fmt::format("EigenPlan::run: a is {} x {} {}; the plan is for {} x {} {}", a.rows(),
                    a.rows(), to_string(a.type), state_->n, state_->n, to_string(state_->type)));
  }
  if (&a.stream->context() != &state_->stream->context())
    throw ArgumentError(ErrorCode::wrong_context,
                        "EigenPlan::run: a is of another context than the plan");
  EigenOptions own = state_->options;
  own.wait_for = options.wait_for;
  own.stream = options.stream;
  own.progress = options.progress;
  own.cancel = options.cancel;
  return tessera::run(state_->plans, a, own);
}

}  // namespace tessera::inline v0
