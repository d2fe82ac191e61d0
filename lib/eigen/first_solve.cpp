// Solves a small positive matrix on the device, and by power iteration on the host.
#include "eigen/first_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "kernels/self_check.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {
namespace {

constexpr std::size_t kRows = 67;

/// The bounds begin a fifth apart, which callers may well be content with.
constexpr double kTolerance = 1e-4;

/// What was right, by its plans, which the context keeps.
class SolvesSeen {
 public:
  using Key = std::vector<const kernels::Plan*>;

  bool contains(const Key& key) {
    const std::lock_guard lock(mutex_);
    return seen_.contains(key);
  }
  void add(Key key) {
    const std::lock_guard lock(mutex_);
    seen_.insert(std::move(key));
  }

 private:
  std::mutex mutex_;
  std::set<Key> seen_;
};

SolvesSeen::Key key_of(const SolverPlans& plans) {
  SolvesSeen::Key key = {plans.begin.get(), plans.finish.get(), plans.conclude.get(),
                         plans.validating_round.get(), plans.pass.get()};
  for (const auto& plan : plans.operations()) key.push_back(plan.get());
  return key;
}

/// From 1 to 2, and exact in float.
double element(std::size_t i, std::size_t j) {
  return 1 + static_cast<double>((31 * i + 17 * j + i * j) % 64) / 64;
}

template <Real T>
std::vector<T> elements() {
  std::vector<T> all;
  for (std::size_t e = 0; e < kRows * kRows; e++)
    all.push_back(static_cast<T>(element(e / kRows, e % kRows)));
  return all;
}

struct Expected {
  std::vector<long double> vector;  ///< maximum 1
  long double lower, upper;
};

/// The other eigenvalues are so small that the bounds meet within the precision.
Expected expected() {
  constexpr int kIterations = 40;
  Expected result{std::vector<long double>(kRows, 1), 0, 0};
  for (int iteration = 0; iteration < kIterations; iteration++) {
    std::vector<long double> next(kRows, 0);
    result.lower = INFINITY;
    result.upper = 0;
    for (std::size_t i = 0; i < kRows; i++) {
      for (std::size_t j = 0; j < kRows; j++) next[i] += element(i, j) * result.vector[j];
      result.lower = std::min(result.lower, next[i] / result.vector[i]);
      result.upper = std::max(result.upper, next[i] / result.vector[i]);
    }
    const long double largest = *std::ranges::max_element(next);
    for (long double& component : next) component /= largest;
    result.vector = std::move(next);
  }
  return result;
}

/// Empty if nothing is wrong.
template <Real T>
std::string wrong_in(const EigenPair<T>& pair) {
  constexpr double kRounding = 1e-15, kFar = 0.01;
  const Expected right = expected();
  if (!(pair.lower <= right.upper * (1 + kRounding) &&
        pair.upper >= right.lower * (1 - kRounding))) {
    return fmt::format("the eigenvalue is {}, and not from {} to {}",
                       static_cast<double>(right.lower), pair.lower, pair.upper);
  }
  if (!(pair.upper - pair.lower <= kFar * pair.value))
    return fmt::format("{} iterations end with an interval from {} to {}", pair.rounds, pair.lower,
                       pair.upper);
  const auto components = pair.vector.to_host();
  for (std::size_t i = 0; i < kRows; i++) {
    if (!(std::fabs(components[i] - right.vector[i]) <= kFar)) {
      return fmt::format("component {} of the eigenvector is {} instead of {}", i, components[i],
                         static_cast<double>(right.vector[i]));
    }
  }
  return {};
}

}  // namespace

template <Real T>
void check_first_solve(
    runtime::Stream& stream, const SolverPlans& plans, const EigenOptions& options,
    const std::function<EigenPair<T>(const ConstMatrixView<T>&, const EigenOptions&)>& solve) {
  if (!options.kernels.empty()) return;
  auto& seen = stream.context().extension<SolvesSeen>();
  auto key = key_of(plans);
  if (seen.contains(key)) return;
  if (kernels::self_checks()) {
    try {
      const Matrix<T> a(kernels::engine_apart(stream), kRows, kRows, elements<T>());
      const auto wrong = wrong_in(solve(a, {.method = options.method,
                                            .stop = options.stop,
                                            .tolerance = kTolerance,
                                            .accumulator = options.accumulator}));
      if (!wrong.empty()) {
        throw UnsupportedError("dominant_eigenpair",
                               fmt::format("a small matrix came out wrong on {}: {}",
                                           stream.context().device().info.name, wrong));
      }
    } catch (const MemoryError&) {
      return;
    }
  }
  seen.add(std::move(key));
}

template void check_first_solve(
    runtime::Stream&, const SolverPlans&, const EigenOptions&,
    const std::function<EigenPair<float>(const ConstMatrixView<float>&, const EigenOptions&)>&);
template void check_first_solve(
    runtime::Stream&, const SolverPlans&, const EigenOptions&,
    const std::function<EigenPair<double>(const ConstMatrixView<double>&, const EigenOptions&)>&);

}  // namespace tessera::inline v0::eigen
