// Chooses the kernels of a solve, and the precision of its certificate.
#include "eigen/solver_plans.hpp"

#include "eigen/eigenvector.hpp"
#include "eigen/fused_round.hpp"
#include "eigen/implicit_round.hpp"
#include "eigen/precision.hpp"
#include "eigen/row_bounds.hpp"
#include "eigen/row_sum.hpp"
#include "eigen/similarity_transform.hpp"
#include "eigen/solver_kernels.hpp"
#include "eigen/stop.hpp"
#include "eigen/vector_max.hpp"
#include "kernels/planner.hpp"
#include "runtime/capabilities.hpp"

namespace tessera::inline v0::eigen {
namespace {

/// The accumulator of a certificate's pass: compensated if plain sums would widen the interval by
/// a noticeable part of the tolerance.
Accumulator pass_accumulator(Accumulator rounds, std::size_t n, double tolerance,
                             const DeviceCapabilities& device) {
  if (rounds == Accumulator::two_floats || !device.has_exact_double_sums) return rounds;
  return relative_error(Accumulator::float64, n) * 64 < tolerance ? Accumulator::float64
                                                                  : Accumulator::compensated;
}

/// Makes the plans of one solve.
struct Planner {
  runtime::Stream& stream;
  ElementType type;
  std::size_t n;
  const EigenOptions& options;

  Problem problem(const kernels::Operation& operation, const Mode& mode = {}) const {
    return {.operation = operation.name, .types = type, .m = n, .n = n, .mode = mode};
  }

  /// An operation's kernel: the caller's, else the best known.
  template <class Table>
  SharedPlan operation(const Table& table, const Mode& mode = {}) const {
    const auto chosen = options.kernels.find(table.operation().name);
    return kernels::plan(stream, table.operation(), problem(table.operation(), mode),
                         chosen == options.kernels.end() ? KernelChoice() : chosen->second);
  }

  /// The same variant of a round in another mode.
  SharedPlan in_mode(const kernels::Plan& round, const Mode& mode) const {
    const kernels::Operation& operation = implicit_round_table().operation();
    return kernels::in_mode(stream, operation, problem(operation), round, mode);
  }

  /// A kernel of the solver itself, for vectors of double or of two floats.
  SharedPlan own(const char* name, Accumulator accumulator) const {
    const bool two_floats = accumulator == Accumulator::two_floats;
    const Mode mode{.accumulator = two_floats ? Accumulator::two_floats : Accumulator::float64};
    return kernels::plan(stream, solver_kernels(), problem(solver_kernels(), mode), {name});
  }

  StepPlans steps(Accumulator accumulator) const {
    const bool is_fused = options.method == EigenMethod::fused;
    return {.row_sum = operation(row_sum_table()),
            .vector_max = operation(vector_max_table()),
            .eigenvector = operation(eigenvector_table()),
            .row_bounds = operation(row_bounds_table()),
            .stop = options.stop == StopTest::neighbours ? operation(stop_table()) : nullptr,
            .transform = is_fused ? nullptr : operation(similarity_transform_table()),
            .fused = is_fused ? operation(fused_round_table()) : nullptr,
            .conclude = own("conclude_steps", accumulator),
            .widen = own("widen", accumulator)};
  }
};

}  // namespace

std::vector<SharedPlan> SolverPlans::operations() const {
  std::vector<SharedPlan> all = {round};
  if (!steps) return all;
  for (const auto& plan : {steps->row_sum, steps->vector_max, steps->eigenvector, steps->row_bounds,
                           steps->stop, steps->transform, steps->fused}) {
    if (plan) all.push_back(plan);
  }
  return all;
}

std::vector<SharedPlan> SolverPlans::all() const {
  std::vector<SharedPlan> all = operations();
  const auto add = [&](const SharedPlan& plan) {
    if (plan) all.push_back(plan);
  };
  for (const auto& plan : {begin, finish, conclude, validating_round, pass}) add(plan);
  if (steps) {
    for (const auto& plan : {steps->conclude, steps->widen}) add(plan);
  }
  return all;
}

std::vector<std::string> solver_operations() {
  const auto names = [](const auto&... tables) {
    return std::vector<std::string>{tables.operation().name...};
  };
  return names(row_sum_table(), vector_max_table(), eigenvector_table(),
               similarity_transform_table(), stop_table(), row_bounds_table(), fused_round_table(),
               implicit_round_table());
}

SolverPlans solver_plans(runtime::Stream& stream, ElementType type, std::size_t n,
                         const EigenOptions& options) {
  const Planner planner{stream, type, n, options};
  const SharedPlan round =
      planner.operation(implicit_round_table(), {.accumulator = options.accumulator});
  const Accumulator accumulator = round->mode.accumulator;
  const DeviceCapabilities& device = runtime::capabilities(stream);
  const Accumulator of_pass = pass_accumulator(accumulator, n, options.tolerance, device);
  SolverPlans plans{
      .begin = planner.own("begin", accumulator),
      .finish = planner.own("finish", accumulator),
      .conclude = device.has_device_fence ? nullptr : planner.own("conclude", accumulator),
      .round = round,
      .validating_round = planner.in_mode(*round, {.accumulator = accumulator, .validate = true}),
      .pass = planner.in_mode(*round, {.accumulator = of_pass}),
      .accumulator = accumulator,
      .rounds_prove = of_pass == Accumulator::float64 || of_pass == accumulator,
      .steps = {}};
  if (options.method != EigenMethod::implicit) plans.steps = planner.steps(accumulator);
  return plans;
}

}  // namespace tessera::inline v0::eigen
