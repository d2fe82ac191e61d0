// The table of eigenvector variants. A new one is a row here and its file in cl/eigenvector/.
#include "eigen/eigenvector.hpp"

#include "eigen/reference.hpp"
#include "eigen/step_calls.hpp"
#include "eigen/step_operation.hpp"
#include "eigen/step_variant.hpp"
#include "reference/guarded.hpp"

namespace tessera::inline v0::eigen {
namespace {

void enqueue(const kernels::Plan& plan, const EigenvectorCall& problem,
             runtime::Submission& submission) {
  const auto& [step, s, maximum, v] = problem;
  submission.launch(plan.kernel(), cover(step.n, plan.group), *step.halt, cl_ulong{step.n},
                    *s.buffer, s.at, *maximum.buffer, maximum.at, *v.buffer, v.at);
}

std::vector<kernels::Row<EigenvectorCall>> rows() {
  return {{item_step("direct", "every work-item reads the maximum"), enqueue},
          {lane_step("broadcast", "a lane reads the maximum for its sub-group"), enqueue}};
}

/// The operands are v, s and the maximum.
const kernels::Trial kTrial = {
    .operands = [](const Problem& problem,
                   std::mt19937_64& random) -> std::vector<kernels::TrialOperand> {
      const ElementType type = problem.types.a;
      const auto uniform = [&](double low, double high) {
        return reference::uniform_elements(type, problem.m, random, low, high);
      };
      return {{type, problem.m, 1, kernels::Role::updated, uniform(-2, 2)},
              {.type = type, .rows = problem.m, .columns = 1, .values = uniform(0.1, 3)},
              {.type = type, .rows = 1, .columns = 1, .values = {3}}};
    },
    .run =
        [](const kernels::SharedPlan& plan, const Problem&, std::span<const detail::Operand> of) {
          return run_plan(plan, eigenvector_step(of[0], of[1], of[2]));
        },
    .expected =
        [](const Problem& problem, const kernels::Before& before, std::span<const std::size_t> rows,
           const kernels::Expect& expect) {
          for (const std::size_t i : rows) {
            expect(0, i,
                   reference_quotient(problem.types.a, before(0, i), before(1, i), before(2, 0)));
          }
        }};

kernels::Operation operation() {
  kernels::Operation operation = step_operation("eigenvector", Dimensions::square_matrix, kTrial);
  operation.preference = prefer({"direct"});
  operation.work = work_over_vector(2, 3);
  return operation;
}

}  // namespace

const kernels::Table<EigenvectorCall>& eigenvector_table() {
  static const kernels::Table<EigenvectorCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
