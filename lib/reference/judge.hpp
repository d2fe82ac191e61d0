// Judge: compares what a checked kernel computed with references, element by element.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/bound.hpp"
#include "tessera/check.hpp"

namespace tessera::inline v0::reference {

/// Counts elements, and tracks the worst error in units of its bound.
class Judge {
 public:
  void compare(double value, const Bounded& right) {
    Verification& seen = result_.verification;
    const double error = std::fabs(value - right.value);
    seen.elements++;
    seen.max_error = std::max(seen.max_error, std::isnan(error) ? INFINITY : error);
    const double share = ratio(value, right.value, right.bound, error);
    if (share <= seen.worst) return;
    seen.worst = share;
    seen.error_bound = right.bound;
  }
  void expect(bool right, const char* otherwise) {
    if (!right && result_.failure.empty()) result_.failure = otherwise;
  }
  CheckResult finish(KernelRun ran) {
    result_.ran = std::move(ran);
    const Verification& seen = result_.verification;
    if (!seen.passed()) {
      result_.failure =
          fmt::format("largest error {:.3g}, {:.3g} of the bound", seen.max_error, seen.worst);
    }
    return std::move(result_);
  }

 private:
  CheckResult result_;
};

}  // namespace tessera::inline v0::reference
