// Solves a small positive matrix on the device and on the host.
#include "eigen/first_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "eigen/irreducible.hpp"
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

/// By the host alone.
Root expected() {
  constexpr double kBest = 1e-16;  // until the interval no longer gets narrower
  return find_root(scaled(elements<double>(), std::vector<int>(kRows), 0), kBest, 0);
}

/// Empty if nothing is wrong.
template <Real T>
std::string wrong_in(const EigenPair<T>& pair) {
  constexpr double kFar = 0.01;
  const Root right = expected();
  const Certificate& proof = right.certificate;
  if (!(pair.lower <= proof.upper && pair.upper >= proof.lower)) {
    return fmt::format("the eigenvalue is {}, and not from {} to {}", proof.value, pair.lower,
                       pair.upper);
  }
  if (!(pair.upper - pair.lower <= kFar * pair.value))
    return fmt::format("{} iterations end with an interval from {} to {}", pair.rounds, pair.lower,
                       pair.upper);
  const auto components = pair.vector.to_host();
  const double largest = *std::ranges::max_element(right.vector);
  for (std::size_t i = 0; i < kRows; i++) {
    const double component = right.vector[i] / largest;
    if (!(std::fabs(components[i] - component) <= kFar)) {
      return fmt::format("component {} of the eigenvector is {} instead of {}", i, components[i],
                         component);
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
