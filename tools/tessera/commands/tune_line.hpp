// Tune line: where a tuner is, as a line of progress.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <tessera/tune.hpp>
#include <vector>

#include "figures.hpp"

namespace tessera::tool {

/// The current problem, counted from 1.
struct ProblemNumber {
  std::size_t number, of;
};

/// Shows progress on standard error until it is destroyed: which problem it is if there are
/// several, and how long all of them may still take, by `seconds_left`.
std::function<void(const TuneProgress&)> tune_line(const Problem& problem, const Peak& peak,
                                                   ProblemNumber which,
                                                   std::function<double()> seconds_left);

/// "problem 3 of 8, 95 s left: 12 of 5535 tried, best 412 GFLOP/s (71 % of the peak), ok 5, slow
/// 7"; `counts` of all outcomes.
std::string tune_line_text(const TuneProgress& progress, const Measure& measure, const Peak& peak,
                           ProblemNumber which, double seconds_left,
                           const std::vector<std::size_t>& counts);

}  // namespace tessera::tool
