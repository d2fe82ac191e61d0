// Sums of any operands with various factors and layouts.
#include "elementwise/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "elementwise/add_call.hpp"
#include "elementwise/reference.hpp"
#include "operands/numbers.hpp"

namespace tessera::inline v0::elementwise {
namespace {

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

/// The factors of a problem, with one of three constants.
Factors factors_of(const Problem& problem) {
  return {problem.alpha, problem.beta, static_cast<double>((problem.m + problem.n) % 3)};
}

}  // namespace

const kernels::Trial kAddTrial = {
    .operands = [](const Problem& problem, std::mt19937_64&) -> std::vector<kernels::TrialOperand> {
      const ElementType type = problem.types.a;
      return {{type, problem.m, problem.n, kernels::Role::output},
              {type, problem.m, problem.n},
              {type, problem.m, problem.n}};
    },
    .run =
        [](const kernels::SharedPlan& plan, const Problem& problem,
           std::span<const detail::Operand> of) {
          const auto [alpha, beta, constant] = factors_of(problem);
          const auto sum =
              make_sum(of[0], of[1], of[2], {.alpha = alpha, .beta = beta, .constant = constant});
          return runtime::with_opencl_errors([&] { return run_plan(plan, *of[0].stream, sum); },
                                             [] { return std::string("add"); });
        },
    .expected =
        [](const Problem& problem, const kernels::Before& before, std::span<const std::size_t> rows,
           const kernels::Expect& expect) {
          const Factors factors = factors_of(problem);
          for (const std::size_t i : rows) {
            for (std::size_t at = i * problem.n; at < (i + 1) * problem.n; at++)
              expect(0, at, reference_sum(problem.types.a, factors, before(1, at), before(2, at)));
          }
        }};

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

}  // namespace tessera::inline v0::elementwise
