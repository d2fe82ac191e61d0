// The document's pipeline, round by round: row sums, their maximum, the vector, the stop test, the
// transform; or the same with the transform and the next row sums fused.
#include "eigen/steps.hpp"

#include <array>

#include "eigen/eigenvector.hpp"
#include "eigen/fused_round.hpp"
#include "eigen/row_bounds.hpp"
#include "eigen/row_sum.hpp"
#include "eigen/similarity_transform.hpp"
#include "eigen/stop.hpp"
#include "eigen/vector_max.hpp"
#include "operands/numbers.hpp"

namespace tessera::inline v0::eigen {

/// The buffers that the rounds write besides their state.
struct StepMemory {
  cl::Buffer transformed, v;
  std::array<cl::Buffer, 2> s;  ///< row sums; of fused rounds, in turn
  cl::Buffer maximum, bounds, agree;
};

namespace {

StepMemory memory_of(const Workspace& work) {
  runtime::Submission& submission = work.submission;
  const std::size_t n = work.step.n, size = element_size(work.step.type);
  const auto scratch = [&](std::size_t elements, const char* what) {
    return submission.lasting_scratch(elements * size, what);
  };
  return {.transformed = scratch(n * n, "the transformed matrix"),
          .v = scratch(n, "the eigenvector"),
          .s = {scratch(n, "row sums"), scratch(n, "row sums")},
          .maximum = scratch(1, "a maximum"),
          .bounds = scratch(2, "bounds"),
          .agree = submission.lasting_scratch(sizeof(cl_int), "a stop test")};
}

void enqueue_round(const Workspace& work, const StepMemory& memory, const cl::Buffer& state,
                   cl_uint round) {
  const StepPlans& plans = *work.plans.steps;
  runtime::Submission& submission = work.submission;
  const StepArguments& step = work.step;
  const auto& [transformed, v, s, maximum, bounds, agree] = memory;
  const MatrixArgument b = dense_matrix(transformed, step.n), a = round == 0 ? work.a : b;
  const VectorArgument sums = dense_vector(s[plans.fused ? round % 2 : 0]);
  if (round == 0 || !plans.fused)
    row_sum_table().enqueue(*plans.row_sum, {step, step.n, a, sums}, submission);
  vector_max_table().enqueue(*plans.vector_max, {step, sums, dense_vector(maximum)}, submission);
  eigenvector_table().enqueue(*plans.eigenvector,
                              {step, sums, dense_vector(maximum), dense_vector(v)}, submission);
  row_bounds_table().enqueue(
      *plans.row_bounds, {step, sums, dense_vector(bounds), dense_vector(bounds, 1)}, submission);
  if (plans.stop) {
    const auto tolerance = operands::value_of(work.options.neighbour_tolerance, step.type);
    stop_table().enqueue(*plans.stop, {step, tolerance, sums, dense_vector(agree)}, submission);
  }
  submission.launch(plans.conclude->kernel(), {{1, 1}, {1, 1}}, state, bounds, agree);
  if (plans.fused) {
    fused_round_table().enqueue(*plans.fused, {step, a, sums, b, dense_vector(s[(round + 1) % 2])},
                                submission);
  } else {
    similarity_transform_table().enqueue(*plans.transform, {step, a, sums, b}, submission);
  }
}

}  // namespace

Iterate run_steps(const Workspace& work, Rounds& rounds, double tolerance) {
  const StepPlans& plans = *work.plans.steps;
  runtime::Submission& submission = work.submission;
  const std::size_t n = work.step.n;
  const StepMemory memory = memory_of(work);
  const RoundsRun run{.phase = plans.fused ? "fused rounds" : "rounds in steps",
                      .earlier = 0,
                      .tolerance = tolerance,
                      .restarts = false};
  const auto limits = limits_of(work, 0, run);

  auto pass = limits;
  pass.conclusion = Conclusion::none;
  begin_rounds(work, rounds, pass);
  enqueue_rounds(work, *work.plans.validating_round, {}, 0);  // validates the elements of A
  begin_again(work, rounds, limits, 0);
  runtime::Kernel& ones_kernel = plans.widen->kernel("_ones");
  submission.launch(ones_kernel, cover(n, ones_kernel), cl_ulong{n}, memory.v);
  Batch batch{};
  do {
    batch = rounds.next_batch(limits);
    for (cl_uint round = batch.begin; round < batch.end; round++)
      enqueue_round(work, memory, rounds.buffer(), round);
  } while (go_on(work, rounds, batch, run));
  const auto& state = rounds.state();
  if (state.halt == Halt::bad_input) throw BadRow{state.bad_row};
  if (state.halt == Halt::overflow) return ones(work);  // of quotients, not of row sums of A
  submission.launch(plans.widen->kernel(), cover(n, plans.widen->kernel()), cl_ulong{n}, memory.v,
                    work.vectors);
  return {};
}

}  // namespace tessera::inline v0::eigen
