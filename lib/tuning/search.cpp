// The three strategies of a search.
#include "tuning/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tessera::inline v0::tuning {
namespace {

constexpr std::size_t kStart = 16;         // tried at random before the model is asked
constexpr std::size_t kRandomEvery = 10;   // proposals
constexpr std::size_t kCandidates = 4000;  // that a model looks at
constexpr std::size_t kRemembered = 400;   // observations that a model takes, the best

/// How much faster than `best` a prediction promises to be, on average.
double expected_improvement(const Prediction& prediction, double best) {
  const double z = (best - prediction.mean) / prediction.deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * 3.14159265358979323846);
  const double below = std::erfc(-z / std::sqrt(2.0)) / 2;
  return prediction.deviation * (z * below + density);
}

}  // namespace

Search::Search(const Space& space, TuneStrategy strategy, std::uint64_t seed,
               std::vector<std::size_t> first)
    : space_(space),
      strategy_(strategy),
      random_(seed),
      order_(space.size()),
      first_(std::move(first)),
      proposed_(space.size()) {
  std::ranges::reverse(first_);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  // std::shuffle is free to differ from library to library.
  for (std::size_t i = order_.size(); i > 1; i--) std::swap(order_[i - 1], order_[random_() % i]);
}

void Search::take(std::size_t configuration, std::vector<std::size_t>& proposed) {
  proposed_[configuration] = true;
  proposed.push_back(configuration);
  proposals_++;
}

std::optional<std::size_t> Search::any() {
  while (!order_.empty() && proposed_[order_.back()]) order_.pop_back();
  if (order_.empty()) return std::nullopt;
  return order_.back();
}

/// One that differs from one of the best in a single parameter.
std::optional<std::size_t> Search::neighbour() {
  for (const std::size_t best : best_) {
    std::vector<std::size_t> near;
    for (std::size_t i = 0; i < space_.size(); i++) {
      if (!proposed_[i] && space_.differences(best, i) == 1U) near.push_back(i);
    }
    if (!near.empty()) return near[random_() % near.size()];
  }
  return std::nullopt;
}

/// Those of which the model expects most; each is then taken to be as predicted, so that the next
/// is another.
std::vector<std::size_t> Search::promising(std::size_t count) {
  auto observations = seen_;
  const auto [least, most] = std::ranges::minmax(observations, {}, &Observation::value);
  for (const std::size_t configuration : failed_)
    observations.push_back({configuration, most.value});
  std::ranges::stable_sort(observations, {}, &Observation::value);
  if (observations.size() > kRemembered) observations.resize(kRemembered);
  Surrogate surrogate(space_);
  for (int turn = 0; turn < 4; turn++) surrogate.fit(observations);
  std::vector<std::pair<double, std::size_t>> promises;
  for (std::size_t i = 0; i < space_.size(); i++) {
    if (!proposed_[i])
      promises.emplace_back(-expected_improvement(surrogate.predict(i), least.value), i);
  }
  const std::size_t enough = std::min(count, promises.size());
  std::partial_sort(promises.begin(), promises.begin() + static_cast<std::ptrdiff_t>(enough),
                    promises.end());
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < enough; i++) chosen.push_back(promises[i].second);
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
        strategy_ == TuneStrategy::model && proposals_ >= kStart && seen_.size() >= 2;
    std::vector<std::size_t> next;
    if (by_model && proposals_ % kRandomEvery != 0) {
      next = promising(1);
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
