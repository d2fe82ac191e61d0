// Judge: compares what a checked kernel computed with references; random operands for checks.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "eigen/reference.hpp"
#include "operands/numbers.hpp"
#include "tessera/check.hpp"

namespace tessera::inline v0::eigen {

/// Uniform random numbers between `from` and `to`, rounded to the type.
inline std::vector<double> numbers(ElementType type, std::size_t count, std::mt19937_64& random,
                                   double from = -2, double to = 2) {
  std::uniform_real_distribution<double> uniform(from, to);
  std::vector<double> all(count);
  for (double& number : all) number = operands::rounded(type, uniform(random));
  return all;
}

/// Counts elements, and tracks the worst error in units of its bound.
class Judge {
 public:
  void compare(double value, const Bounded& reference) {
    Verification& v = result_.verification;
    const double error = std::fabs(value - reference.value), bound = reference.bound;
    v.elements++;
    const double ratio = error == 0 ? 0 : error / bound;
    if (!(ratio <= v.worst)) {
      v.worst = ratio <= 1e300 ? ratio : INFINITY;
      v.error_bound = bound;
    }
    v.max_error = std::max(v.max_error, std::isnan(error) ? INFINITY : error);
  }
  void expect(bool right, const char* otherwise) {
    if (!right && result_.failure.empty()) result_.failure = otherwise;
  }
  CheckResult finish(KernelRun ran) {
    result_.ran = std::move(ran);
    const Verification& v = result_.verification;
    if (!v.passed()) {
      result_.failure =
          fmt::format("largest error {:.3g}, {:.3g} of the bound", v.max_error, v.worst);
    }
    return std::move(result_);
  }

 private:
  CheckResult result_;
};

}  // namespace tessera::inline v0::eigen
