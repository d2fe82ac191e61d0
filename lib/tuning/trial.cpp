// What tuners say about attempts: names and numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/element.hpp"
#include "tessera/tune.hpp"
#include "tuning/statistics.hpp"

namespace tessera::inline v0 {

std::string_view name(TuneStrategy strategy) {
  constexpr std::array<std::string_view, 3> kNames = {"model", "random", "full"};
  return kNames[static_cast<std::size_t>(strategy)];
}

std::string_view name(Outcome outcome) {
  constexpr std::array<std::string_view, 8> kNames = {"ok",           "slow",          "wrong",
                                                      "build failed", "build timeout", "resources",
                                                      "run timeout",  "crashed"};
  return kNames[static_cast<std::size_t>(outcome)];
}

const std::vector<Outcome>& outcomes() {
  static const std::vector<Outcome> all = {
      Outcome::ok,           Outcome::slow,          Outcome::wrong,
      Outcome::build_failed, Outcome::build_timeout, Outcome::resources,
      Outcome::run_timeout,  Outcome::crashed};
  return all;
}

double Trial::seconds() const {
  return runs.empty() ? std::numeric_limits<double>::infinity() : tuning::median(runs);
}

Work work_of(const TuneProblem& problem) {
  const double m = static_cast<double>(problem.rows), n = static_cast<double>(problem.columns),
               k = static_cast<double>(problem.k);
  const double element = static_cast<double>(kernels::element_size(problem.type));
  const std::string& operation = problem.operation;
  if (operation == "multiply") return {2 * m * n * k, element * (m * k + k * n + m * n)};
  if (operation == "row_sum") return {m * n, element * m * n};
  if (operation == "implicit_round") return {2 * m * n, element * m * n};
  if (operation == "similarity_transform") return {2 * m * n, 2 * element * m * n};
  if (operation == "fused_round") return {3 * m * n, 2 * element * m * n};
  if (operation == "eigenvector") return {2 * m, 3 * element * m};
  return {m, element * m};
}

}  // namespace tessera::inline v0
