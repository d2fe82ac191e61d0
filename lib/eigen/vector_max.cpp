// The table of vector_max variants. A new one is a row here and its file in cl/vector_max/.
#include "eigen/vector_max.hpp"

#include "eigen/step_calls.hpp"
#include "eigen/step_operation.hpp"
#include "eigen/step_variant.hpp"
#include "operands/element.hpp"
#include "reference/guarded.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Plan;
using runtime::Submission;

void enqueue_atomic(const Plan& plan, const VectorMaxCall& problem, Submission& submission) {
  const auto& [step, x, maximum] = problem;
  submission.launch(plan.kernel("_clear"), {{1, 1}, {1, 1}}, *step.halt, *maximum.buffer,
                    maximum.at);
  submission.launch(plan.kernel(), cover(step.n, plan.group), *step.halt, cl_ulong{step.n},
                    *x.buffer, x.at, *maximum.buffer, maximum.at);
}

void enqueue_two_pass(const Plan& plan, const VectorMaxCall& problem, Submission& submission) {
  const auto& [step, x, maximum] = problem;
  const auto group = group_of(plan.parameters);
  const std::size_t groups = first_pass_groups(submission, step.n, group);
  const auto partial =
      submission.scratch(groups * element_size(step.type), plan.variant->full_name());
  const VectorArgument partials = dense_vector(partial);
  submission.launch(plan.kernel(), {{groups, 1}, group}, *step.halt, cl_ulong{step.n}, *x.buffer,
                    x.at, *partials.buffer, partials.at);
  submission.launch(plan.kernel(), {{1, 1}, group}, *step.halt, cl_ulong{groups}, *partials.buffer,
                    partials.at, *maximum.buffer, maximum.at);
}

std::vector<kernels::Row<VectorMaxCall>> rows() {
  return {
      {with_atomics(item_step("atomic", "every element compared atomically"), true),
       enqueue_atomic},
      {with_atomics(lane_step("subgroup", "the largest of sub-groups compared atomically"), true),
       enqueue_atomic},
      {with_atomics(lane_step("subgroup_local",
                              "the largest of work-groups, by sub-groups and local memory, "
                              "compared atomically"),
                    true),
       enqueue_atomic},
      {tree_step("two_pass", "by trees, first of many work-groups, then of one"),
       enqueue_two_pass}};
}

/// The operands are the maximum and x, which is negative in every other trial.
const kernels::Trial kTrial = {
    .operands = [](const Problem& problem,
                   std::mt19937_64& random) -> std::vector<kernels::TrialOperand> {
      const ElementType type = problem.types.a;
      return {{type, 1, 1, kernels::Role::output},
              {.type = type,
               .rows = problem.m,
               .columns = 1,
               .values = reference::uniform_elements(type, problem.m, random, -2,
                                                     random() % 2 == 0 ? -1 : 2)}};
    },
    .run =
        [](const kernels::SharedPlan& plan, const Problem&, std::span<const detail::Operand> of) {
          return run_plan(plan, vector_max_step(of[0], of[1]));
        },
    .expected =
        [](const Problem& problem, const kernels::Before& before, std::span<const std::size_t>,
           const kernels::Expect& expect) {
          double maximum = before(1, 0);
          for (std::size_t i = 1; i < problem.m; i++) maximum = std::max(maximum, before(1, i));
          expect(0, 0, {maximum, 0});
        }};

kernels::Operation operation() {
  kernels::Operation operation = step_operation("vector_max", Dimensions::square_matrix, kTrial);
  operation.preference = prefer({"two_pass"});
  operation.work = work_over_vector(1, 1);
  return operation;
}

}  // namespace

const kernels::Table<VectorMaxCall>& vector_max_table() {
  static const kernels::Table<VectorMaxCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
