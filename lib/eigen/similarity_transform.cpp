// The table of similarity_transform variants. A new one is a row here and its file in
// cl/similarity_transform/.
#include "eigen/similarity_transform.hpp"

#include "eigen/step_calls.hpp"
#include "eigen/step_operation.hpp"
#include "eigen/step_variant.hpp"
#include "eigen/transform_trial.hpp"
#include "operands/element.hpp"

namespace tessera::inline v0::eigen {
namespace {

void enqueue(const kernels::Plan& plan, const SimilarityTransformCall& problem,
             runtime::Submission& submission) {
  const StepArguments& step = problem.step;
  const MatrixArgument &a = problem.a, &b = problem.b;
  const VectorArgument& s = problem.s;
  const auto group = plan.group;
  const std::size_t rows = plan.size("MR");
  slices(step.n, rows, [&](std::size_t first, std::size_t count) {
    submission.launch(plan.kernel(), {{divide_up(step.n, group[0]), divide_up(count, rows)}, group},
                      *step.halt, cl_ulong{step.n}, cl_ulong{first}, *a.buffer, a.at, *s.buffer,
                      s.at, *b.buffer, b.at);
  });
}

kernels::Variant by_blocks(const char* name, const char* summary, int preferred_rows) {
  auto variant = item_step(name, summary);
  variant.parameters.push_back({"MR", "rows of a work-group", {1, 2, 4, 8}});
  variant.preferred = [preferred_rows](const kernels::Target& target) {
    Parameters parameters = preferred_group(target);
    parameters["MR"] = preferred_rows;
    return parameters;
  };
  return variant;
}

kernels::Variant cached() {
  auto variant =
      by_blocks("cached", "row sums of a work-group's rows and columns in local memory", 1);
  variant.work_group = [](const Parameters& p) {
    return kernels::WorkGroup{kernels::size(p, "LOCAL_SIZE"), kernels::size(p, "MR")};
  };
  variant.local_bytes = [](const Parameters& p, const kernels::Target& target) {
    return (kernels::size(p, "LOCAL_SIZE") + kernels::size(p, "MR")) *
           element_size(target.types.sum);
  };
  return variant;
}

std::vector<kernels::Row<SimilarityTransformCall>> rows() {
  return {{by_blocks("direct", "every work-item reads the row sums of its rows and its column", 8),
           enqueue},
          {cached(), enqueue}};
}

/// The operands are b, a and s.
const kernels::Trial kTrial = {
    .operands = [](const Problem& problem, std::mt19937_64& random)
        -> std::vector<kernels::TrialOperand> { return transform_operands(problem, random); },
    .run =
        [](const kernels::SharedPlan& plan, const Problem&, std::span<const detail::Operand> of) {
          return run_plan(plan, similarity_transform_step(of[0], of[1], of[2]));
        },
    .expected =
        [](const Problem& problem, const kernels::Before& before, std::span<const std::size_t> rows,
           const kernels::Expect& expect) {
          for (const std::size_t i : rows) {
            for (std::size_t j = 0; j < problem.m; j++)
              expect(0, i * problem.m + j, reference_transform(problem, before, i, j));
          }
        }};

kernels::Operation operation() {
  kernels::Operation operation =
      step_operation("similarity_transform", Dimensions::square_matrix, kTrial);
  operation.preference = prefer({"direct"});
  operation.work = work_over_matrix(2, 2);
  return operation;
}

}  // namespace

const kernels::Table<SimilarityTransformCall>& similarity_transform_table() {
  static const kernels::Table<SimilarityTransformCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
