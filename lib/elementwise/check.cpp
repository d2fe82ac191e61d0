// Sums of random operands, a poisoned output and guard zones around every matrix.
#include "elementwise/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

#include "elementwise/add_call.hpp"
#include "elementwise/reference.hpp"
#include "reference/guarded.hpp"
#include "reference/output.hpp"

namespace tessera::inline v0::elementwise {
namespace {

using reference::Guarded;
using reference::random_elements;

/// The factors and the layout of a case. Consecutive cases cycle through kTurns.
struct Turn {
  double alpha, beta;
  bool strided;
};
constexpr std::array<Turn, 5> kTurns = {
    {{1, 1, false}, {2.5, -1, true}, {-3, 0, false}, {0, 2, true}, {0, 0, true}}};

CheckCase case_of(const Problem& problem, std::size_t m, std::size_t n, std::size_t turn) {
  const auto [alpha, beta, strided] = kTurns[turn % kTurns.size()];
  const bool is_integer = operands::is_integer(problem.types.a);
  return {.problem = {.operation = "add",
                      .types = problem.types,
                      .m = m,
                      .n = n,
                      .alpha = is_integer ? std::trunc(alpha) : alpha,
                      .beta = beta,
                      .mode = problem.mode},
          .strided = strided,
          .seed = turn + 1};
}

void compare(double computed, const Bounded& exact, Verification& verification) {
  const double error = std::fabs(computed - exact.value);
  const double ratio = reference::ratio(computed, exact.value, exact.bound, error);
  verification.elements++;
  verification.max_error = std::max(verification.max_error, std::isnan(error) ? INFINITY : error);
  if (ratio <= verification.worst) return;
  verification.worst = ratio;
  verification.error_bound = exact.bound;
}

}  // namespace

std::vector<CheckCase> add_cases(const ProductTypes& types, const Parameters&, bool defaults,
                                 std::size_t largest) {
  std::vector<std::size_t> sizes = {0, 1, 2, 16, 31, 65, 131, 257};
  if (defaults) sizes.insert(sizes.end(), {3, 7, 15, 17, 63, 64, 127, 255, 256, 521, 1031});
  std::vector<CheckCase> all;
  for (const std::size_t n : sizes) {
    // Wide, tall and square.
    for (const std::size_t m : {std::size_t{3}, n, 2 * n + 1}) {
      if (std::max(m, n) <= largest) all.push_back(case_of({.types = types}, m, n, all.size()));
    }
  }
  return all;
}

std::vector<CheckCase> final_add_cases(const Problem& problem, const Parameters& parameters,
                                       std::uint64_t) {
  return add_cases(problem.types, parameters, false, 300);
}

std::vector<CheckCase> first_add_cases(const Problem& problem, const Parameters&) {
  return {case_of(problem, 131, 99, 1)};
}

CheckResult check_add(const Engine& engine, const CheckCase& check_case,
                      const kernels::SharedPlan& plan) {
  const Problem& problem = check_case.problem;
  const std::size_t m = problem.m, n = problem.n;
  const ElementType type = problem.types.a;
  std::mt19937_64 random(check_case.seed);
  const auto a = random_elements(type, m * n, random), b = random_elements(type, m * n, random);
  const std::vector<double> poison(m * n, reference::poison(type));
  const Guarded a_guarded(engine, type, m, n, check_case.strided, a),
      b_guarded(engine, type, m, n, check_case.strided, b),
      c_guarded(engine, type, m, n, check_case.strided, poison);
  const double constant = static_cast<double>(check_case.seed % 3);
  CheckResult result;
  const auto sum = make_sum(c_guarded.operand(), a_guarded.operand(), b_guarded.operand(),
                            {.alpha = problem.alpha, .beta = problem.beta, .constant = constant});
  result.ran =
      runtime::with_opencl_errors([&] { return run_plan(plan, runtime::stream_of(engine), sum); },
                                  [] { return std::string("add"); });
  const auto c = c_guarded.inside();
  for (std::size_t i = 0; i < c.size(); i++) {
    compare(c[i], reference_sum(type, {problem.alpha, problem.beta, constant}, a[i], b[i]),
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

}  // namespace tessera::inline v0::elementwise
