// Workloads of the eigenpair's operations on vectors alone.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "eigen/step_calls.hpp"
#include "eigen/workload.hpp"
#include "eigen/workload_parts.hpp"
#include "operands/numbers.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Workload;
using reference::Output;
using runtime::MatrixSize;
using workloads::kStep, workloads::Reference, workloads::size_of, workloads::Vector;

enum class OfVectors { vector_max, row_bounds, stop, eigenvector };

/// The operations that take only vectors.
template <OfVectors operation>
class Vectors : public Workload {
 public:
  Vectors(const Engine& engine, const Problem& problem, std::uint64_t seed)
      : type_(problem.types.a),
        x_(engine, type_, problem.m, seed),
        maximum_(detail::allocate(engine.stream(), type_, 1, 1)),
        bounds_(engine, type_, kBounds, 1),
        v_(engine, type_, problem.m, 1),
        converged_(engine, ElementType::int32, 1, 1) {
    operands::upload(maximum_, std::array{2.0});
  }

  static std::vector<MatrixSize> matrices(const Problem& problem) {
    const ElementType type = problem.types.a;
    return {size_of(type, problem.m, 1), size_of(type, 1, 1), Output::size(type, kBounds, 1),
            Output::size(type, problem.m, 1), Output::size(ElementType::int32, 1, 1)};
  }

  KernelRun run(const kernels::SharedPlan& plan) override {
    if constexpr (operation == OfVectors::vector_max)
      return run_plan(plan, vector_max_step(bounds_.operand(), x_.device));
    if constexpr (operation == OfVectors::row_bounds)
      return run_plan(plan, row_bounds_step(bounds_.operand(), x_.device));
    if constexpr (operation == OfVectors::stop)
      return run_plan(plan, stop_step(converged_.operand(), x_.device, 0.25));
    return run_plan(plan, eigenvector_step(v_.operand(), x_.device, maximum_));
  }
  void poison() override {
    bounds_.poison();
    v_.poison();
    operands::upload(v_.operand(), x_.host);
    converged_.poison();
  }
  std::string compare() override {
    const auto& x = x_.host;
    Reference reference;
    const auto [minimum, maximum] = std::ranges::minmax(x);
    if constexpr (operation == OfVectors::row_bounds) reference.add(0, {minimum, 0});
    if constexpr (operation == OfVectors::row_bounds || operation == OfVectors::vector_max) {
      reference.add(reference.indices.size(), {maximum, 0});
      return workloads::compare(reference, bounds_);
    }
    if constexpr (operation == OfVectors::stop) {
      reference.add(0, {reference_stop(x, 0.25) ? 1.0 : 0.0, 0});
      return workloads::compare(reference, converged_);
    }
    for (std::size_t i = 0; i < x.size(); i++)
      reference.add(i, reference_quotient(type_, x[i], x[i], 2));
    return workloads::compare(reference, v_);
  }

 private:
  static constexpr std::size_t kBounds = operation == OfVectors::row_bounds ? 2 : 1;

  ElementType type_;
  Vector x_;
  detail::Operand maximum_;
  Output bounds_, v_;
  Output converged_;
};

}  // namespace

const StepWorkload kVectorMaxWorkload = kStep<Vectors<OfVectors::vector_max>>;
const StepWorkload kRowBoundsWorkload = kStep<Vectors<OfVectors::row_bounds>>;
const StepWorkload kEigenvectorWorkload = kStep<Vectors<OfVectors::eigenvector>>;
const StepWorkload kStopWorkload = kStep<Vectors<OfVectors::stop>>;

}  // namespace tessera::inline v0::eigen
