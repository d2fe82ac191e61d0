// Sums of any operands with various factors and layouts.
#include "elementwise/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

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

/// A case of the problem's types and conjugates.
CheckCase case_of(const Problem& problem, std::size_t m, std::size_t n, std::size_t turn) {
  const auto [alpha, beta, strided] = kTurns[turn % kTurns.size()];
  const bool is_integer = operands::is_integer(problem.types.a);
  // Every second case of complex elements has complex factors.
  const double imaginary = is_complex(problem.types.a) && turn % 2 == 1 ? 0.5 : 0;
  return {
      .problem = {.operation = "add",
                  .types = problem.types,
                  .m = m,
                  .n = n,
                  .op_a = op_if(false, is_conjugated(problem.op_a)),
                  .op_b = op_if(false, is_conjugated(problem.op_b)),
                  .alpha = std::complex(is_integer ? std::trunc(alpha) : alpha, imaginary * alpha),
                  .beta = std::complex(beta, -imaginary * beta),
                  .mode = problem.mode},
      .strided = strided,
      .seed = turn + 1};
}

/// The factors of a problem, with one of three constants.
Factors factors_of(const Problem& problem) {
  const auto constant = static_cast<double>((problem.m + problem.n) % 3);
  if (!is_complex(problem.types.a)) return {problem.alpha, problem.beta, constant};
  return {problem.alpha, problem.beta, std::complex(constant, 1 - constant)};
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
          const auto sum = make_sum(of[0], detail::viewed(of[1], problem.op_a),
                                    detail::viewed(of[2], problem.op_b),
                                    {.alpha = alpha, .beta = beta, .constant = constant});
          return runtime::with_opencl_errors([&] { return run_plan(plan, *of[0].stream, sum); },
                                             [] { return std::string("add"); });
        },
    .expected =
        [](const Problem& problem, const kernels::Before& before, std::span<const std::size_t> rows,
           const kernels::Expect& expect) {
          const Factors factors = factors_of(problem);
          const ElementType type = problem.types.a;
          const auto complex_at = [&](std::size_t operand, std::size_t at, Op op) {
            const double imaginary = before(operand, 2 * at + 1);
            return std::complex(before(operand, 2 * at),
                                is_conjugated(op) ? -imaginary : imaginary);
          };
          for (const std::size_t i : rows) {
            for (std::size_t at = i * problem.n; at < (i + 1) * problem.n; at++) {
              if (!is_complex(type)) {
                expect(0, at, reference_sum(type, factors, before(1, at), before(2, at)));
                continue;
              }
              const auto parts = reference_sum(type, factors, complex_at(1, at, problem.op_a),
                                               complex_at(2, at, problem.op_b));
              expect(0, 2 * at, parts[0]);
              expect(0, 2 * at + 1, parts[1]);
            }
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
      if (std::max(m, n) > largest) continue;
      const bool conjugates = is_complex(types.a);
      const std::size_t turn = all.size();
      all.push_back(case_of({.types = types,
                             .op_a = op_if(false, conjugates && turn % 2 == 1),
                             .op_b = op_if(false, conjugates && turn / 2 % 2 == 1)},
                            m, n, turn));
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
