// The three strategies of a search.
#include "tuning/search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace tessera::inline v0::tuning {
namespace {

/// The expected improvement of a prediction over `best`.
double expected_improvement(const Prediction& prediction, double best) {
  const double z = (best - prediction.mean) / prediction.deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * 3.14159265358979323846);
  const double below = std::erfc(-z / std::sqrt(2.0)) / 2;
  return prediction.deviation * (z * below + density);
}

}  // namespace

Search::Search(const Space& space, TuneStrategy strategy, std::uint64_t seed,
               std::vector<std::size_t> first, const Policy& policy)
    : space_(space),
      policy_(policy),
      strategy_(strategy),
      random_(seed),
      unseen_(space.size()),
      first_(std::move(first)),
      proposed_(space.size()),
      surrogate_(space, policy) {
  std::ranges::reverse(first_);
  std::iota(unseen_.begin(), unseen_.end(), std::size_t{0});
  // The result of std::shuffle differs between standard libraries.
  for (std::size_t i = unseen_.size(); i > 1; i--)
    std::swap(unseen_[i - 1], unseen_[random_() % i]);
}

void Search::take(std::size_t configuration, std::vector<std::size_t>& proposed) {
  proposed_[configuration] = true;
  proposed.push_back(configuration);
  proposals_++;
}

std::optional<std::size_t> Search::any() {
  while (!unseen_.empty() && proposed_[unseen_.back()]) unseen_.pop_back();
  if (unseen_.empty()) return std::nullopt;
  return unseen_.back();
}

/// Unproposed configurations within two parameters of the best ones, and others at random.
std::vector<std::size_t> Search::candidates() {
  auto best = seen_;
  const std::size_t count = std::min(policy_.best_neighbourhoods, best.size());
  std::ranges::partial_sort(best, best.begin() + static_cast<std::ptrdiff_t>(count), {},
                            &Observation::value);
  std::vector<std::size_t> near, all;
  for (std::size_t i = 0; i < space_.size(); i++) {
    if (proposed_[i]) continue;
    const bool is_near = std::any_of(
        best.begin(), best.begin() + static_cast<std::ptrdiff_t>(count), [&](const Observation& o) {
          return space_.differences(o.configuration, i).value_or(9) <= 2;
        });
    (is_near ? near : all).push_back(i);
  }
  for (std::size_t drawn = 0; drawn < policy_.candidates && !all.empty(); drawn++) {
    const std::size_t i = random_() % all.size();
    near.push_back(all[i]);
    all[i] = all.back();
    all.pop_back();
  }
  return near;
}

/// The candidates with the largest expected improvement. If possible, no two of them differ in only
/// one parameter.
std::vector<std::size_t> Search::promising(std::size_t count) {
  auto observations = seen_;
  const auto [minimum, maximum] = std::ranges::minmax(observations, {}, &Observation::value);
  for (const std::size_t configuration : failed_)
    observations.push_back({configuration, maximum.value});
  std::ranges::stable_sort(observations, {}, &Observation::value);
  if (observations.size() > policy_.max_observations) observations.resize(policy_.max_observations);
  surrogate_.fit(observations);
  std::vector<std::pair<double, std::size_t>> promises;
  for (const std::size_t i : candidates())
    promises.emplace_back(-expected_improvement(surrogate_.predict(i), minimum.value), i);
  std::ranges::sort(promises);
  std::vector<std::size_t> chosen;
  for (const std::size_t alike :
       {2U, 1U}) {  // the second pass takes similar ones too, if there are no others
    for (const auto& [promise, i] : promises) {
      if (chosen.size() == count) return chosen;
      const bool is_new = std::ranges::none_of(chosen, [&](std::size_t other) {
        return space_.differences(other, i).value_or(9) < alike;
      });
      if (is_new) chosen.push_back(i);
    }
  }
  return chosen;
}

std::vector<std::size_t> Search::propose(std::size_t count) {
  std::vector<std::size_t> proposed;
  while (proposed.size() < count && !first_.empty()) {
    if (!proposed_[first_.back()]) take(first_.back(), proposed);
    first_.pop_back();
  }
  while (proposed.size() < count) {
    const bool by_model =
        strategy_ == TuneStrategy::model && proposals_ >= policy_.random_start && seen_.size() >= 2;
    const std::size_t to_random = policy_.random_every - proposals_ % policy_.random_every;
    std::vector<std::size_t> next;
    if (by_model && to_random < policy_.random_every) {
      next = promising(std::min(count - proposed.size(), to_random));
    } else if (const auto other = any()) {
      next = {*other};
    }
    if (next.empty()) break;
    for (const std::size_t configuration : next) take(configuration, proposed);
  }
  return proposed;
}

void Search::observe(std::size_t configuration, std::optional<double> seconds) {
  proposed_[configuration] = true;
  if (seconds) {
    seen_.push_back({configuration, std::log(*seconds)});
  } else {
    failed_.push_back(configuration);
  }
}

}  // namespace tessera::inline v0::tuning
