// Workloads of the eigenpair's operations on vectors alone.
#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "eigen/reference.hpp"
#include "eigen/workload.hpp"
#include "eigen/workload_parts.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Workload;
using reference::Output;
using runtime::MatrixSize;
using workloads::kStep, workloads::Reference, workloads::Vector;

enum class OfVectors { vector_max, row_bounds, stop, eigenvector };

/// The operations that take only vectors.
template <Real T, OfVectors operation>
class Vectors : public Workload {
 public:
  Vectors(const Engine& engine, const Problem& problem, std::uint64_t seed)
      : x_(engine, problem.m, seed),
        maximum_(engine, {{T(2)}}),
        bounds_(engine, kBounds, 1),
        v_(engine, problem.m, 1),
        converged_(engine, 1, 1) {}

  static std::vector<MatrixSize> matrices(const Problem& problem) {
    return {{problem.m, 1, sizeof(T)},
            {1, 1, sizeof(T)},
            Output<T>::size(kBounds, 1),
            Output<T>::size(problem.m, 1),
            Output<std::int32_t>::size(1, 1)};
  }

  KernelRun run(const KernelChoice& kernel) override {
    if constexpr (operation == OfVectors::vector_max)
      return vector_max<T>(bounds_.view(), x_.device, {.kernel = kernel});
    if constexpr (operation == OfVectors::row_bounds)
      return row_bounds<T>(bounds_.view(), x_.device, {.kernel = kernel});
    if constexpr (operation == OfVectors::stop)
      return stop<T>(converged_.view(), x_.device, T(0.25), {.kernel = kernel});
    return eigenvector<T>(v_.view(), x_.device, maximum_, {.kernel = kernel});
  }
  void poison() override {
    bounds_.poison();
    v_.poison();
    v_.view().upload(x_.host);
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
      reference.add(0, {reference_stop<T>(x, T(0.25)) ? 1.0 : 0.0, 0});
      return workloads::compare(reference, converged_);
    }
    for (std::size_t i = 0; i < x.size(); i++)
      reference.add(i, reference_quotient<T>(x[i], x[i], 2));
    return workloads::compare(reference, v_);
  }

 private:
  static constexpr std::size_t kBounds = operation == OfVectors::row_bounds ? 2 : 1;

  Vector<T> x_;
  Matrix<T> maximum_;
  Output<T> bounds_, v_;
  Output<std::int32_t> converged_;
};

template <OfVectors operation>
constexpr StepWorkload kOfVectors = kStep<Vectors<float, operation>, Vectors<double, operation>>;

}  // namespace

const StepWorkload kVectorMaxWorkload = kOfVectors<OfVectors::vector_max>;
const StepWorkload kRowBoundsWorkload = kOfVectors<OfVectors::row_bounds>;
const StepWorkload kEigenvectorWorkload = kOfVectors<OfVectors::eigenvector>;
const StepWorkload kStopWorkload = kOfVectors<OfVectors::stop>;

}  // namespace tessera::inline v0::eigen
