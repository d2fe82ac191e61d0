// The table of implicit_round variants. A new one is a row here and its file in cl/implicit_round/.
#include "eigen/implicit_round.hpp"

#include "eigen/stage_variant.hpp"

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
      {"ROWS", "rows of a work-group", {1, 2, 4, 8}},
      {"UNROLL", "elements of a row that a work-item has under way", {1, 2, 4, 8}},
      wide_parameter()};
  variant.preferred = [](const Target& target) {
    Parameters parameters = preferred_group(target);
    parameters.merge(Parameters{{"ROWS", 4}, {"UNROLL", 4}, {"WIDE", preferred_wide(target)}});
    return parameters;
  };
  variant.rules = {wide_rule()};
  variant.local_bytes = pair_tree_bytes;
  return variant;
}

kernels::Variant row_per_item() {
  return {.name = "row_per_item",
          .summary = "for CPUs: a work-item a share of the rows, some at a time, by vectors",
          .common = {"element.cl", "vectors.cl", "wide.cl", "eigenpair.cl"},
          .parameters = {{"ROWS", "rows at a time", {1, 2, 4, 8}},
                         vector_parameter(),
                         tasks_parameter(),
                         wide_parameter()},
          .preferred =
              [](const Target& target) {
                return Parameters{{"ROWS", 4},
                                  {"VECTOR", preferred_vector(target)},
                                  {"TASKS", 2},
                                  {"WIDE", preferred_wide(target)}};
              },
          .rules = {wide_rule()},
          .refusal = refuse_other_types};
}

void launch(const Plan& plan, const ImplicitRoundProblem& problem, Submission& submission,
            const runtime::Grid& grid) {
  const auto& [stage, a, p, q, s] = problem;
  submission.launch(plan.kernel(), grid, *stage.halt, cl_ulong{stage.n}, *a.buffer, a.at, *p, *q,
                    *s);
}

std::vector<kernels::Row<ImplicitRoundProblem>> rows() {
  return {{row_per_group(),
           [](const Plan& plan, const ImplicitRoundProblem& problem, Submission& submission) {
             launch(
                 plan, problem, submission,
                 {{divide_up(problem.stage.n, plan.size("ROWS")), 1}, group_of(plan.parameters)});
           }},
          {row_per_item(),
           [](const Plan& plan, const ImplicitRoundProblem& problem, Submission& submission) {
             const std::size_t blocks = divide_up(problem.stage.n, plan.size("ROWS"));
             launch(plan, problem, submission, {{row_tasks(plan, submission, blocks), 1}, {1, 1}});
           }}};
}

}  // namespace

const kernels::Table<ImplicitRoundProblem>& implicit_round_table() {
  static const kernels::Table<ImplicitRoundProblem> table("implicit_round", real_types(), rows(),
                                                          by_rows);
  return table;
}

}  // namespace tessera::inline v0::eigen
