// Trials: names of strategies and outcomes, and the seconds of a trial.
#include <algorithm>
#include <array>
#include <limits>

#include "tessera/tune.hpp"
#include "tuning/protocol.hpp"
#include "tuning/statistics.hpp"

namespace tessera::inline v0 {

std::string_view to_string(TuneStrategy strategy) {
  constexpr std::array<std::string_view, 3> kNames = {"model", "random", "full"};
  return kNames[static_cast<std::size_t>(strategy)];
}

std::string_view to_string(Outcome outcome) { return runtime::name_of(outcome); }

const std::vector<Outcome>& outcomes() {
  static const std::vector<Outcome> all = [] {
    std::vector<Outcome> values;
    for (std::size_t i = 0; i < runtime::Names<Outcome>::kAll.size(); i++)
      values.push_back(static_cast<Outcome>(i));
    return values;
  }();
  return all;
}

double Trial::seconds() const {
  return runs.empty() ? std::numeric_limits<double>::infinity() : tuning::median(runs);
}

}  // namespace tessera::inline v0
