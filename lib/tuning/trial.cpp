// Trials: names of strategies and outcomes, and the seconds of a trial.
#include <algorithm>
#include <array>
#include <limits>

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

}  // namespace tessera::inline v0
