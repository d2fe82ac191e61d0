// Solves small positive matrices whose eigenpairs are known.
#include "eigen/first_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "eigen/iterate.hpp"
#include "eigen/plans_seen.hpp"
#include "eigen/precision.hpp"
#include "kernels/self_check.hpp"
#include "operands/numbers.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {
namespace {

struct SolvedRight {};

std::string programs_of(const std::vector<SharedPlan>& plans) {
  std::string identities;
  for (const SharedPlan& plan : plans)
    identities += kernels::text_of(plan->parameters) + '\n' + plan->program->identity() + '\n';
  return identities;
}

/// D^-1 S D with powers of two in D and the elements of S from 1 to 2: exact in float. All rows of
/// S have the same sum, which is the eigenvalue, and 1 / d is the eigenvector.
struct KnownPair {
  explicit KnownPair(std::size_t rows) : n(rows), value(0) {
    const auto of_circulant = [](std::size_t k) {
      return 1 + static_cast<double>((31 * k + k * k) % 64) / 64;
    };
    for (std::size_t i = 0; i < n; i++) {
      value += of_circulant(i);
      for (std::size_t j = 0; j < n; j++) {
        elements.push_back(of_circulant((i + n - j) % n) * component(i) / component(j));
      }
    }
  }
  static double component(std::size_t i) { return std::ldexp(1.0, -static_cast<int>(i * i % 5)); }

  std::size_t n;
  double value;
  std::vector<double> elements;
};

/// Runs solves on a stream of their own; each function returns what is wrong, empty if nothing.
class FirstSolve {
 public:
  FirstSolve(runtime::Stream& stream, const SolverPlans& plans, ElementType type,
             const EigenOptions& options, const Solve& solve)
      : engine_(kernels::engine_apart(stream)),
        plans_(plans),
        type_(type),
        options_(options),
        solve_(solve) {}

  std::string wrong() const {
    // Whole tiles, a few rows more than that, and more rows than work-groups have work-items.
    for (const std::size_t n : {64U, 67U, 263U}) {
      auto failure = wrong_interval(n, narrowest(n));
      if (!failure.empty()) return failure;
    }
    // While the ratios still differ, an interval that lacks one of them shows.
    if (auto failure = wrong_interval(67, 1e-3); !failure.empty()) return failure;
    if (auto failure = wrong_validation(3, 0); !failure.empty()) return failure;
    if (auto failure = wrong_validation(66, 66); !failure.empty()) return failure;
    return options_.stop == StopTest::neighbours ? wrong_neighbours() : "";
  }

 private:
  detail::EigenPairOperand solved(const KnownPair& known, StopTest stop, double tolerance) const {
    const auto a = operands::matrix_of(engine_.stream(), type_, known.n, known.n, known.elements);
    return solve_(a, {.method = options_.method,
                      .stop = stop,
                      .tolerance = tolerance,
                      .accumulator = options_.accumulator});
  }

  /// The tolerance that the kernels' precision allows.
  double narrowest(std::size_t n) const {
    return 8 * relative_error(plans_.pass->mode.accumulator, n) + 0x1p-47;
  }

  std::string wrong_interval(std::size_t n, double tolerance) const {
    const KnownPair known(n);
    const auto pair = solved(known, StopTest::bounds, tolerance);
    if (!(pair.upper - pair.lower <= tolerance * pair.upper)) {
      return fmt::format("{} iterations end with an interval from {} to {}", pair.rounds,
                         pair.lower, pair.upper);
    }
    return wrong_pair(known, pair);
  }

  std::string wrong_neighbours() const {
    const KnownPair known(67);
    return wrong_pair(known, solved(known, StopTest::neighbours, 1));
  }

  static std::string wrong_pair(const KnownPair& known, const detail::EigenPairOperand& pair) {
    if (!(pair.lower <= known.value && known.value <= pair.upper)) {
      return fmt::format("the eigenvalue is {}, and not from {} to {}", known.value, pair.lower,
                         pair.upper);
    }
    constexpr double kFar = 0.01;
    const auto components = operands::numbers_of(pair.vector);
    for (std::size_t i = 0; i < known.n; i++) {
      if (!(std::fabs(components[i] - known.component(i)) <= kFar)) {
        return fmt::format("component {} of the eigenvector is {} instead of {}", i, components[i],
                           known.component(i));
      }
    }
    return {};
  }

  /// Checks that a solve reports the row of the negative element (row, column).
  std::string wrong_validation(std::size_t row, std::size_t column) const {
    KnownPair known(67);
    known.elements[row * known.n + column] = -1;
    try {
      solved(known, StopTest::bounds, 1);
    } catch (const BadRow& bad) {
      if (bad.row == row) return {};
    }
    return fmt::format("the negative element ({}, {}) is not reported", row, column);
  }

  Engine engine_;
  const SolverPlans& plans_;
  ElementType type_;
  const EigenOptions& options_;
  const Solve& solve_;
};

}  // namespace

void check_first_solve(runtime::Stream& stream, const SolverPlans& plans, ElementType type,
                       const EigenOptions& options, const Solve& solve) {
  if (!options.kernels.empty()) return;
  auto& seen = stream.context().extension<PlansSeen<SolvedRight>>();
  const auto all = plans.all();
  if (seen.contains({all, options.method, options.stop})) return;
  const std::string what = fmt::format("a solve of {} by {}, {}", to_string(type),
                                       to_string(options.method), to_string(options.stop));
  const auto wrong = kernels::check_once(stream, what, programs_of(all), [&] {
    return FirstSolve(stream, plans, type, options, solve).wrong();
  });
  if (!wrong.empty()) {
    throw UnsupportedError("dominant_eigenpair",
                           fmt::format("a small matrix came out wrong on {}: {}",
                                       stream.context().device().info.name, wrong),
                           ErrorCode::failed_check);
  }
  seen.add({all, options.method, options.stop});
}

}  // namespace tessera::inline v0::eigen
