// Sums of random operands, a poisoned output and guard zones around every matrix.
#include "elementwise/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

#include "elementwise/reference.hpp"
#include "operands/element.hpp"
#include "reference/guarded.hpp"
#include "reference/output.hpp"

namespace tessera::inline v0::elementwise {
namespace {

using reference::Guarded;
using reference::random_elements;

/// What a case has beside its shape, in turn.
struct Turn {
  double alpha, beta;
  bool strided;
};
constexpr std::array<Turn, 5> kTurns = {
    {{1, 1, false}, {2.5, -1, true}, {-3, 0, false}, {0, 2, true}, {0, 0, true}}};

CheckCase case_of(const Problem& problem, std::size_t m, std::size_t n, std::size_t turn) {
  const auto [alpha, beta, strided] = kTurns[turn % kTurns.size()];
  return {.problem = {.operation = "add",
                      .type = problem.type,
                      .m = m,
                      .n = n,
                      .alpha = alpha,
                      .beta = beta,
                      .mode = problem.mode},
          .strided = strided,
          .seed = turn + 1};
}

template <VectorElement T>
void compare(double computed, const Bounded& exact, Verification& verification) {
  const double error = std::fabs(computed - exact.value);
  const double ratio = reference::ratio(computed, exact.value, exact.bound, error);
  verification.elements++;
  verification.max_error = std::max(verification.max_error, std::isnan(error) ? INFINITY : error);
  if (ratio <= verification.worst) return;
  verification.worst = ratio;
  verification.error_bound = exact.bound;
}

template <VectorElement T>
CheckResult check_sum(const Engine& engine, const CheckCase& check_case,
                      const KernelChoice& kernel) {
  const Problem& problem = check_case.problem;
  const std::size_t m = problem.m, n = problem.n;
  std::mt19937_64 random(check_case.seed);
  const auto a = random_elements<T>(m * n, random), b = random_elements<T>(m * n, random);
  Guarded<T> a_guarded(engine, m, n, check_case.strided, a),
      b_guarded(engine, m, n, check_case.strided, b),
      c_guarded(engine, m, n, check_case.strided, std::vector<T>(m * n, reference::poison<T>()));
  const AddOptions<T> options{.alpha = static_cast<Scalar<T>>(problem.alpha),
                              .beta = static_cast<Scalar<T>>(problem.beta),
                              .constant = static_cast<Scalar<T>>(check_case.seed % 3),
                              .kernel = kernel};
  CheckResult result;
  result.ran = add_into(c_guarded.view(), a_guarded.view(), b_guarded.view(), options);
  const auto c = c_guarded.inside();
  for (std::size_t i = 0; i < c.size(); i++) {
    compare<T>(reference::widened(c[i]), reference_sum<T>(options, a[i], b[i]),
               result.verification);
  }
  if (!result.verification.passed()) {
    result.failure = fmt::format("largest error {:.3g}, {:.3g} of the bound",
                                 result.verification.max_error, result.verification.worst);
  } else if (!a_guarded.intact() || !b_guarded.intact() || !c_guarded.intact()) {
    result.failure = reference::kOutsideWritten;
  }
  return result;
}

}  // namespace

std::vector<CheckCase> add_cases(ElementType type, const Parameters&, bool defaults,
                                 std::size_t largest) {
  std::vector<std::size_t> sizes = {0, 1, 2, 16, 31, 65, 131, 257};
  if (defaults) sizes.insert(sizes.end(), {3, 7, 15, 17, 63, 64, 127, 255, 256, 521, 1031});
  std::vector<CheckCase> all;
  for (const std::size_t n : sizes) {
    // Wide, tall and square.
    for (const std::size_t m : {std::size_t{3}, n, 2 * n + 1}) {
      if (std::max(m, n) <= largest) all.push_back(case_of({.type = type}, m, n, all.size()));
    }
  }
  return all;
}

std::vector<CheckCase> final_add_cases(const Problem& problem, const Parameters& parameters,
                                       std::uint64_t) {
  return add_cases(problem.type, parameters, false, 300);
}

std::vector<CheckCase> first_add_cases(const Problem& problem, const Parameters&) {
  return {case_of(problem, 131, 99, 1)};
}

CheckResult check_add(const Engine& engine, const CheckCase& check_case,
                      const KernelChoice& kernel) {
  return operands::with_type(check_case.problem.type, [&](auto zero) -> CheckResult {
    using T = decltype(zero);
    if constexpr (VectorElement<T>) {
      return check_sum<T>(engine, check_case, kernel);
    } else {
      throw UnsupportedError("add", "it is not for int8");
    }
  });
}

}  // namespace tessera::inline v0::elementwise
