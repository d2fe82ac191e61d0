// The course of a search: each trial by its time and outcome, and the best so far.
#include <fmt/format.h>

#include <algorithm>

#include "figures.hpp"
#include "report/chart_parts.hpp"
#include "report/charts.hpp"
#include "report/markup.hpp"

namespace tessera::tool {
namespace {

constexpr double kCourseHeight = 260,
                 kLane = 22;  // failures have a lane below, for they have no time
constexpr std::size_t kMaxHints = 1500;

class Course {
 public:
  explicit Course(const TuneResult& result) : result_(result), seconds_(axis_of(result)) {}

  std::string chart() const {
    return grid_of_seconds(seconds_, kCourseHeight) +
           axis_names("configurations tried", "time of a call", kCourseHeight + kLane) +
           failures() + points() + reference_lines() + journal_line() + best_so_far() + numbers();
  }

 private:
  static Axis axis_of(const TuneResult& result) {
    std::vector<double> seconds = {result.default_seconds, result.best_seconds};
    for (const Trial& trial : result.trials) {
      if (timed(trial)) seconds.push_back(trial.seconds());
    }
    return Axis::around(seconds);
  }

  double x_of(std::size_t number) const {
    return (static_cast<double>(number) + 0.5) / static_cast<double>(result_.trials.size());
  }
  double y_of(double seconds) const { return kCourseHeight * (1 - seconds_.at(seconds)); }

  std::string hint_of(std::size_t number) const {
    if (result_.trials.size() > kMaxHints) return {};
    const Trial& trial = result_.trials[number];
    return hint(fmt::format("{}: {}\n{}{}", number + 1, text_of(trial.kernel), name(trial.outcome),
                            timed(trial) ? ", " + text_of_seconds(trial.seconds()) : ""));
  }

  std::string points() const {
    std::string all;
    const double radius = result_.trials.size() > 600 ? 2 : 3;
    for (std::size_t i = 0; i < result_.trials.size(); i++) {
      const Trial& trial = result_.trials[i];
      if (!timed(trial)) continue;
      all += element("circle",
                     {{"class", "point " + class_of(trial.outcome)},
                      {"cx", percent(x_of(i))},
                      {"cy", y_of(trial.seconds())},
                      {"r", radius}},
                     hint_of(i));
    }
    return all;
  }

  std::string failures() const {
    std::string all;
    for (std::size_t i = 0; i < result_.trials.size(); i++) {
      if (timed(result_.trials[i])) continue;
      all += element("line",
                     {{"class", "failure " + class_of(result_.trials[i].outcome)},
                      {"x1", percent(x_of(i))},
                      {"x2", percent(x_of(i))},
                      {"y1", kCourseHeight + 6},
                      {"y2", kCourseHeight + kLane - 4}},
                     hint_of(i));
    }
    return all;
  }

  std::string best_so_far() const {
    std::string lines;
    const auto line = [&](double x1, double y1, double x2, double y2) {
      lines += leaf(
          "line",
          {{"class", "best"}, {"x1", percent(x1)}, {"y1", y1}, {"x2", percent(x2)}, {"y2", y2}});
    };
    const Trial* best = nullptr;
    double x = 0;
    for (std::size_t i = 0; i < result_.trials.size(); i++) {
      const Trial& trial = result_.trials[i];
      if (!timed(trial) || (best && trial.seconds() >= best->seconds())) continue;
      if (best) {
        line(x, y_of(best->seconds()), x_of(i), y_of(best->seconds()));
        line(x_of(i), y_of(best->seconds()), x_of(i), y_of(trial.seconds()));
      }
      best = &trial;
      x = x_of(i);
    }
    if (best) line(x, y_of(best->seconds()), 1, y_of(best->seconds()));
    return lines;
  }

  /// Times in the finals, in which the winner is the faster: its label goes below, the default's
  /// above.
  std::string reference_lines() const {
    const auto line = [&](double seconds, const char* label, double label_down) {
      if (!(seconds > 0)) return std::string();
      const double y = y_of(seconds);
      return leaf("line",
                  {{"class", "reference"}, {"x1", "0%"}, {"x2", "100%"}, {"y1", y}, {"y2", y}}) +
             element("text", {{"class", "end halo"}, {"x", "100%"}, {"y", y + label_down}}, label);
    };
    if (default_won(result_)) return line(result_.best_seconds, "the default, which won", -5);
    return line(result_.default_seconds, "default", -5) + line(result_.best_seconds, "winner", 14);
  }

  std::string journal_line() const {
    const auto earlier =
        static_cast<std::size_t>(std::ranges::count_if(result_.trials, &Trial::from_journal));
    if (earlier == 0 || earlier == result_.trials.size()) return {};
    const std::string x =
        percent(static_cast<double>(earlier) / static_cast<double>(result_.trials.size()));
    return leaf(
               "line",
               {{"class", "reference"}, {"x1", x}, {"x2", x}, {"y1", 0.0}, {"y2", kCourseHeight}}) +
           element("text", {{"class", "halo"}, {"x", x}, {"dx", 5.0}, {"y", 10.0}},
                   "after earlier tuners");
  }

  std::string numbers() const {
    std::string labels = leaf("line", {{"class", "axis"},
                                       {"x1", "0%"},
                                       {"x2", "100%"},
                                       {"y1", kCourseHeight + kLane},
                                       {"y2", kCourseHeight + kLane}});
    for (const double tick : Axis::linear(0, static_cast<double>(result_.trials.size())).ticks()) {
      if (tick < 1 || tick != static_cast<double>(static_cast<std::size_t>(tick))) continue;
      labels += element("text",
                        {{"class", "middle"},
                         {"x", percent(x_of(static_cast<std::size_t>(tick) - 1))},
                         {"y", kCourseHeight + kLane + 16}},
                        fmt::format("{}", tick));
    }
    return labels;
  }

  const TuneResult& result_;
  Axis seconds_;
};

}  // namespace

std::string convergence_chart(const TuneResult& result) {
  if (fastest(result.trials) == nullptr) return {};
  return figure(
      "Each configuration that was tried; marks below the axis are failures. The solid line is the "
      "best trial so far. The dashed lines are times in the finals, which time the best trials "
      "again, more often and in turns: the winner&#39;s time there can be above the best trial.",
      plot("Convergence", kCourseHeight + kLane, Course(result).chart()));
}

}  // namespace tessera::tool
