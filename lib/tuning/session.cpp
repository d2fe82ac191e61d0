// Session: search, finals and final check.
#include "tuning/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "tuning/finals.hpp"
#include "tuning/search.hpp"
#include "tuning/statistics.hpp"

namespace tessera::inline v0::tuning {
namespace {

class Run {
 public:
  Run(const Session& session, const Problem& problem, const DeviceInfo& device)
      : session_(session),
        evaluator_(session.evaluator),
        options_(session.options),
        policy_(session.policy),
        search_(session.space, options_.strategy, options_.seed, session.first, policy_) {
    result_.problem = problem;
    result_.device = device;
    result_.strategy = options_.strategy;
    result_.seed = options_.seed;
    result_.space = session.space.size();
    result_.default_kernel = session.space[session.default_configuration];
    for (const Trial& trial : session.earlier) {
      if (const auto configuration = session.space.find(trial.kernel)) take(*configuration, trial);
    }
  }

  TuneResult finish() {
    const double reserve =
        std::clamp(policy_.finals_share * options_.budget, 0.0, policy_.max_finals);
    search(options_.budget - reserve);
    evaluator_.drop();
    double left = options_.budget - policy_.check_share * reserve - evaluator_.now();
    if (options_.cancel.cancelled()) left = std::min(left, policy_.after_stop);
    const double last = evaluator_.now() + left;
    finals({last - left / 2, last});
    if (beats_default(result_, policy_)) look_around(last);
    result_.elapsed = evaluator_.now();
    return std::move(result_);
  }

 private:
  struct Tried {
    std::size_t configuration;
    double seconds;  // scaled to the device's speed at the start
  };

  double best_seconds() const {
    return good_.empty() ? std::numeric_limits<double>::infinity() : good_[best_].seconds;
  }

  void take(std::size_t configuration, Trial trial) {
    if (trial.good()) {
      const double seconds = trial.seconds() / drift_;
      search_.observe(configuration, seconds);
      if (seconds < best_seconds()) {
        best_ = good_.size();
        best_trial_ = result_.trials.size();
      }
      good_.push_back({configuration, seconds});
      if (configuration == session_.default_configuration) result_.default_seconds = seconds;
    } else {
      search_.observe(configuration, std::nullopt);
    }
    result_.trials.push_back(std::move(trial));
  }

  void report(TuneProgress::Stage stage, bool with_last) {
    if (!options_.progress) return;
    options_.progress({.stage = stage,
                       .elapsed = evaluator_.now(),
                       .budget = options_.budget,
                       .tried = result_.trials.size(),
                       .space = result_.space,
                       .last = with_last ? &result_.trials.back() : nullptr,
                       .best = good_.empty() ? nullptr : &result_.trials[best_trial_],
                       .default_seconds = result_.default_seconds});
  }

  void search(double deadline) {
    std::size_t tried = 0;
    while (tried < options_.max_evaluations) {
      // With few observations the model is fast, and learns from every result; later, one proposal
      // takes it as long as many.
      const std::size_t wanted =
          std::min(std::max(evaluator_.queue_capacity(), 1 + tried / policy_.trials_a_proposal),
                   options_.max_evaluations - tried);
      if (2 * evaluator_.pending() <= wanted) {
        for (const std::size_t c : search_.propose(wanted - evaluator_.pending()))
          evaluator_.enqueue(c);
      }
      auto evaluation = evaluator_.next(best_seconds() * drift_, deadline);
      if (!evaluation) return;
      tried++;
      take(evaluation->configuration, std::move(evaluation->trial));
      report(TuneProgress::Stage::search, true);
      if (tried % policy_.drift_every == 0) look_for_drift(deadline);
    }
  }

  /// The device may have become slower or faster since the search began: times the same
  /// configuration again from time to time, so that new times can be compared with the best.
  void look_for_drift(double deadline) {
    if (good_.empty()) return;
    if (!reference_) reference_ = {good_[best_].configuration, 0};
    std::vector<double> times;
    while (times.size() < policy_.drift_runs) {
      const auto time = evaluator_.time(reference_->configuration, result_.problem, deadline);
      if (!time) return;
      times.push_back(*time);
    }
    if (reference_->seconds == 0) reference_->seconds = median(times);
    const double drift = median(times) / reference_->seconds;
    if (std::fabs(std::log(drift / drift_)) > policy_.drift_threshold) drift_ = drift;
  }

  /// The default, and as many of the fastest as there is time for.
  std::vector<std::size_t> contenders(double time) const {
    const double calls = policy_.calls_a_round * static_cast<double>(policy_.min_rounds);
    const double others = (time / calls - result_.default_seconds) / best_seconds();
    const auto affordable = static_cast<std::size_t>(std::clamp(others, 1.0, 100.0));
    const std::size_t maximum = std::min(policy_.max_finalists, affordable);
    auto best = good_;
    std::ranges::stable_sort(best, {}, &Tried::seconds);
    std::vector<std::size_t> all = {session_.default_configuration};
    for (const Tried& tried : best) {
      if (all.size() <= maximum && std::ranges::find(all, tried.configuration) == all.end())
        all.push_back(tried.configuration);
    }
    const bool default_is_good = std::ranges::any_of(good_, [&](const Tried& tried) {
      return tried.configuration == session_.default_configuration;
    });
    if (!default_is_good) all.erase(all.begin());
    return all;
  }

  std::string why_none_is_good() const {
    if (!result_.trials.empty()) return "no kernel was right and in time";
    if (options_.max_evaluations == 0) return "none was tried, because max_evaluations is 0";
    if (options_.cancel.cancelled()) return "none was tried before the tuner was stopped";
    return "none was tried, because the budget ended while workers started and built the first "
           "kernels";
  }

  void finals(const Deadline& deadline) {
    if (good_.empty()) {
      result_.conclusion = why_none_is_good() + ": nothing is saved";
      return;
    }
    auto ranking = run_rounds(
        evaluator_, result_.problem, contenders(deadline.enough - evaluator_.now()),
        policy_.max_rounds, deadline, policy_, [&] { report(TuneProgress::Stage::finals, false); });
    rank(ranking, policy_);
    report(TuneProgress::Stage::check, false);
    // Different operands each time; the result records the seed.
    result_.check_seed = static_cast<std::uint64_t>(evaluator_.date());
    auto winner = ranking.begin();
    for (; winner != ranking.end(); ++winner) {
      if (winner->failed || winner->times.empty()) continue;
      const std::string wrong = evaluator_.check(winner->configuration, result_.check_seed);
      if (wrong.empty()) break;
      result_.checked += fmt::format("{}{} was left out: {}", result_.checked.empty() ? "" : "; ",
                                     session_.space[winner->configuration].variant, wrong);
    }
    if (winner == ranking.end()) {
      result_.conclusion = "no finals: there was no time, or all failed; nothing is saved";
      return;
    }
    if (result_.checked.empty())
      result_.checked = "the winner is right on odd, tall, wide and tiny sizes";
    conclude({winner, ranking.end()});
  }

  void look_around(double deadline) {
    result_.neighbours = measure_neighbours(evaluator_, session_.nearby(result_.best_seconds),
                                            *session_.space.find(result_.best),
                                            session_.default_configuration, deadline, policy_);
  }

  void conclude(std::span<const Contender> ranking) {
    result_.default_seconds = 0;
    const Contender& winner = ranking.front();
    result_.best = session_.space[winner.configuration];
    result_.best_seconds = median(winner.times);
    for (const Contender& contender : ranking) {
      if (contender.times.empty()) continue;
      const bool is_winner = &contender == &winner;
      const Ratio to_winner = is_winner ? Ratio{1, 1, 1} : ratio(contender, winner, policy_);
      const auto [lower, upper] = median_interval(contender.times);
      result_.finalists.push_back(
          {.kernel = session_.space[contender.configuration],
           .seconds = median(contender.times),
           .lower = lower,
           .upper = upper,
           .ratio_lower = to_winner.lower,
           .ratio_upper = to_winner.upper,
           .tied = !is_winner && to_winner.lower <= 1 && std::isfinite(to_winner.upper)});
      if (contender.configuration == session_.default_configuration) {
        result_.default_seconds = median(contender.times);
        result_.speedup = to_winner.middle;
        result_.speedup_lower = to_winner.lower;
        result_.speedup_upper = to_winner.upper;
      }
    }
  }

  const Session& session_;
  Evaluator& evaluator_;
  const TuneOptions& options_;
  const Policy& policy_;
  Search search_;
  TuneResult result_;
  std::vector<Tried> good_;
  std::size_t best_ = 0, best_trial_ = 0;  // indices into good_ and the result's trials
  std::optional<Tried> reference_;         // 0 seconds: not yet timed
  double drift_ = 1;                       // factor on the device's times since then
};

}  // namespace

bool beats_default(const TuneResult& result, const Policy& policy) {
  if (result.best_seconds == 0 || result.best == result.default_kernel) return false;
  if (result.default_seconds > 0)
    return result.speedup_lower > 1 && result.speedup > policy.worth_saving;
  // A default that timed out may be slow to build, or the machine busy.
  return std::ranges::any_of(result.trials, [&](const Trial& trial) {
    return trial.kernel == result.default_kernel && !trial.good() &&
           trial.outcome != Outcome::build_timeout && trial.outcome != Outcome::run_timeout;
  });
}

TuneResult run(const Session& session, const Problem& problem, const DeviceInfo& device) {
  return Run(session, problem, device).finish();
}

}  // namespace tessera::inline v0::tuning
