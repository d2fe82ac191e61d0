// The document's pipeline, round by round: row sums, their maximum, the vector, the stop test, the
// transform; and the same with transform and next row sums in one.
#include "eigen/steps.hpp"

#include <array>

#include "eigen/eigenvector.hpp"
#include "eigen/fused_round.hpp"
#include "eigen/row_bounds.hpp"
#include "eigen/row_sum.hpp"
#include "eigen/similarity_transform.hpp"
#include "eigen/solver_kernels.hpp"
#include "eigen/stop.hpp"
#include "eigen/vector_max.hpp"
#include "kernels/element.hpp"

namespace tessera::inline v0::eigen {
namespace {

runtime::Value tolerance_value(ElementType type, double tolerance) {
  return type == ElementType::float64 ? runtime::value_of(tolerance)
                                      : runtime::value_of(static_cast<float>(tolerance));
}

}  // namespace

StepPlans::StepPlans(runtime::Stream& stream, ElementType type, int wide, std::size_t n,
                     const EigenOptions& options)
    : row_sum(plan_of(stream, row_sum_table(), type, n, options)),
      vector_max(plan_of(stream, vector_max_table(), type, n, options)),
      eigenvector(plan_of(stream, eigenvector_table(), type, n, options)),
      row_bounds(plan_of(stream, row_bounds_table(), type, n, options)),
      conclude(kernels::plan(stream, solver_kernels(), type,
                             {"conclude_stages", {{"ACCUMULATOR", wide}}})),
      widen(kernels::plan(stream, solver_kernels(), type, {"widen", {{"ACCUMULATOR", wide}}})) {
  if (options.stop == StopTest::neighbours) stop = plan_of(stream, stop_table(), type, n, options);
  if (options.method == EigenMethod::fused) {
    fused = plan_of(stream, fused_round_table(), type, n, options);
  } else {
    transform = plan_of(stream, similarity_transform_table(), type, n, options);
  }
}

void StepPlans::append(std::vector<SharedPlan>& plans) const {
  for (const auto& plan : {row_sum, vector_max, eigenvector, row_bounds, stop, transform, fused}) {
    if (plan) plans.push_back(plan);
  }
}

template <class Component>
cl::Buffer run_steps(runtime::Submission& submission, const StepPlans& plans, ElementType type,
                     const MatrixArgument& a, std::size_t n, const EigenOptions& options,
                     Rounds<Component>& rounds) {
  const std::size_t size = kernels::element_size(type);
  const auto scratch = [&](std::size_t elements, const char* what) {
    return submission.scratch(elements * size, what);
  };
  const cl::Buffer work = scratch(n * n, "the transformed matrix"),
                   v = scratch(n, "the eigenvector");
  const std::array<cl::Buffer, 2> s = {scratch(n, "row sums"), scratch(n, "row sums")};
  const cl::Buffer maximum = scratch(1, "a maximum"), bounds = scratch(2, "bounds");
  const cl::Buffer agree = submission.scratch(sizeof(cl_int), "a stop test");
  const Stage stage{type, n, &rounds.buffer()};
  const MatrixArgument transformed = dense_matrix(work, n);

  submission.launch(plans.widen->kernel("_ones"), cover(n, {64, 1}), cl_ulong{n}, v);
  rounds.run(0, [&](cl_uint round) {
    const MatrixArgument& current = round == 0 ? a : transformed;
    const VectorArgument sums = dense_vector(s[plans.fused ? round % 2 : 0]);
    if (round == 0 || !plans.fused)
      row_sum_table().enqueue(*plans.row_sum, {stage, n, current, sums}, submission);
    vector_max_table().enqueue(*plans.vector_max, {stage, sums, dense_vector(maximum)}, submission);
    eigenvector_table().enqueue(*plans.eigenvector,
                                {stage, sums, dense_vector(maximum), dense_vector(v)}, submission);
    row_bounds_table().enqueue(*plans.row_bounds,
                               {stage, sums, dense_vector(bounds), dense_vector(bounds, 1)},
                               submission);
    if (plans.stop) {
      stop_table().enqueue(
          *plans.stop,
          {stage, tolerance_value(type, options.neighbour_tolerance), sums, dense_vector(agree)},
          submission);
    }
    submission.launch(plans.conclude->kernel(), {{1, 1}, {1, 1}}, rounds.buffer(), rounds.limits(),
                      bounds, agree);
    if (plans.fused) {
      fused_round_table().enqueue(
          *plans.fused, {stage, current, sums, transformed, dense_vector(s[(round + 1) % 2])},
          submission);
    } else {
      similarity_transform_table().enqueue(*plans.transform, {stage, current, sums, transformed},
                                           submission);
    }
  });
  return v;
}

template cl::Buffer run_steps(runtime::Submission&, const StepPlans&, ElementType,
                              const MatrixArgument&, std::size_t, const EigenOptions&,
                              Rounds<float>&);
template cl::Buffer run_steps(runtime::Submission&, const StepPlans&, ElementType,
                              const MatrixArgument&, std::size_t, const EigenOptions&,
                              Rounds<double>&);

}  // namespace tessera::inline v0::eigen
