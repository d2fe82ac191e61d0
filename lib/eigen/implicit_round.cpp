// The table of implicit_round variants. A new one is a row here and its file in cl/implicit_round/.
#include "eigen/implicit_round.hpp"

#include "eigen/check.hpp"
#include "eigen/stage_operation.hpp"
#include "eigen/stage_variant.hpp"
#include "eigen/workload.hpp"
#include "kernels/prefetch.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Plan;
using kernels::Target;
using runtime::Submission;

kernels::Variant row_per_group() {
  auto variant = tree_stage("row_per_group", "for GPUs: a work-group some rows, by a tree");
  variant.common = {"element.cl", "vectors.cl", "wide.cl", "tree.cl", "eigenpair.cl"};
  variant.parameters = {
      group_parameter(),
      {"MR", "rows of a work-group", {1, 2, 4, 8}},
      {"UNROLL", "elements of a row that a work-item has under way", {1, 2, 4, 8}}};
  variant.preferred = [](const Target& target) {
    Parameters parameters = preferred_group(target);
    parameters.merge(Parameters{{"MR", 4}, {"UNROLL", 4}});
    return parameters;
  };
  variant.local_bytes = [](const Parameters& p, const Target& target) {
    const std::size_t numbers = target.mode.accumulator == Accumulator::float64 ? 1 : 2;
    return kernels::size(p, "MR") * kernels::size(p, "LOCAL_SIZE") * numbers * sizeof(cl_double);
  };
  variant.unsupported_reason = refuse_accumulator;
  variant.options = mode_options;
  return variant;
}

kernels::Variant row_per_item() {
  return {.name = "row_per_item",
          .summary = "for CPUs: a work-item a share of the rows, some at a time, by vectors",
          .common = {"element.cl", "vectors.cl", "numbers.cl", "wide.cl", "eigenpair.cl"},
          .parameters = {{"MR", "rows at a time", {1, 2, 4, 8}},
                         vector_parameter(),
                         {"PREFETCH", "elements asked for early; 0: none", {0, 64, 128, 256}},
                         tasks_parameter()},
          .preferred =
              [](const Target& target) {
                return Parameters{{"MR", 8},
                                  {"VECTOR", preferred_vector(target)},
                                  {"PREFETCH", kernels::can_prefetch(target) ? 128 : 0},
                                  {"ITEMS_PER_CU", 2}};
              },
          .rules = {kernels::prefetch_rule()},
          .unsupported_reason = refuse_accumulator,
          .options = mode_options};
}

void launch(const Plan& plan, const ImplicitRoundCall& problem, Submission& submission,
            const runtime::Grid& grid) {
  const auto& [stage, a, p, q, s] = problem;
  submission.launch(plan.kernel(), grid, *stage.halt, cl_ulong{stage.n}, *a.buffer, a.at, *p, *q,
                    *s);
}

std::vector<kernels::Row<ImplicitRoundCall>> rows() {
  return {{row_per_group(),
           [](const Plan& plan, const ImplicitRoundCall& problem, Submission& submission) {
             launch(plan, problem, submission,
                    {{divide_up(problem.stage.n, plan.size("MR")), 1}, group_of(plan.parameters)});
           }},
          {row_per_item(),
           [](const Plan& plan, const ImplicitRoundCall& problem, Submission& submission) {
             const std::size_t blocks = divide_up(problem.stage.n, plan.size("MR"));
             launch(plan, problem, submission, {{row_tasks(plan, submission, blocks), 1}, {1, 1}});
           }}};
}

kernels::Operation operation() {
  kernels::Operation operation =
      stage_operation("implicit_round", Dimensions::square_matrix, check_implicit_round<float>,
                      check_implicit_round<double>);
  operation.preference = by_rows;
  operation.work = work_over_matrix(2, 1);
  operation.workload = kImplicitRoundWorkload;
  operation.tuning_weight = 1;
  return operation;
}

}  // namespace

const kernels::Table<ImplicitRoundCall>& implicit_round_table() {
  static const kernels::Table<ImplicitRoundCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
