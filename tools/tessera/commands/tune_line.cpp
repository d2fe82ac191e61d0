// The tuner's progress in words.
#include "commands/tune_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "commands/progress.hpp"

namespace tessera::tool {
namespace {

std::string tried_text(const TuneProgress& progress) {
  switch (progress.stage) {
    case TuneProgress::Stage::finals: return "finals";
    case TuneProgress::Stage::check: return "last check";
    default: return fmt::format("{} of {} tried", progress.tried, progress.space);
  }
}

}  // namespace

std::string tune_line_text(const TuneProgress& progress, const Measure& measure, const Peak& peak,
                           ProblemNumber which, double seconds_left,
                           const std::vector<std::size_t>& counts) {
  std::vector<std::string> parts = {tried_text(progress)};
  if (progress.best != nullptr) {
    const double seconds = progress.best->seconds();
    const auto share = measure.share(seconds, peak);
    parts.push_back("best " + measure.text(seconds));
    if (share) parts.back() += fmt::format(" ({} % of the peak)", three_digits(100 * *share));
  }
  for (const Outcome outcome : outcomes()) {
    if (const std::size_t count = counts[static_cast<std::size_t>(outcome)]; count > 0)
      parts.push_back(fmt::format("{} {}", to_string(outcome), count));
  }
  return fmt::format("{}{:.0f} s left: {}",
                     which.of > 1 ? fmt::format("problem {} of {}, ", which.number, which.of) : "",
                     std::max(0.0, seconds_left), fmt::join(parts, ", "));
}

std::function<void(const TuneProgress&)> tune_line(const Problem& problem, const Peak& peak,
                                                   ProblemNumber which,
                                                   std::function<double()> seconds_left) {
  struct State {
    Progress line;
    std::vector<std::size_t> counts = std::vector<std::size_t>(outcomes().size());
  };
  return [=, state = std::make_shared<State>(), measure = measure_of(problem),
          seconds_left = std::move(seconds_left)](const TuneProgress& progress) {
    if (progress.last != nullptr) state->counts[static_cast<std::size_t>(progress.last->outcome)]++;
    state->line.say(tune_line_text(progress, measure, peak, which, seconds_left(), state->counts));
  };
}

}  // namespace tessera::tool
