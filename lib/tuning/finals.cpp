// Rounds of the finals, and the medians of paired time ratios.
#include "tuning/finals.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "tuning/statistics.hpp"

namespace tessera::inline v0::tuning {
namespace {

double typical(const Contender& contender) {
  return contender.times.empty() ? INFINITY : median(contender.times);
}

/// Drops contenders that are certainly slower than the leader. Returns true if rounds continue.
bool thin_out(std::vector<Contender>& all, const Policy& policy) {
  std::vector<Contender*> in;
  for (Contender& c : all) {
    if (!c.out) in.push_back(&c);
  }
  const auto leader =
      *std::ranges::min_element(in, {}, [](const Contender* c) { return typical(*c); });
  std::size_t left = 0;
  for (Contender* c : in) {
    if (c != leader && c != &all.front() && ratio(*c, *leader, policy).lower > 1) c->out = true;
    left += c->out ? 0 : 1;
  }
  // The default stays in for comparison: two are left if it is not the leader.
  const bool decided = left == 1 || (left == 2 && leader != &all.front() && !all.front().out &&
                                     ratio(all.front(), *leader, policy).lower > 1);
  return !decided;
}

}  // namespace

Ratio ratio(const Contender& a, const Contender& b, const Policy& policy) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(a.times.size(), b.times.size()); i++)
    differences.push_back(std::log(a.times[i] / b.times[i]));
  if (differences.empty()) return {1, 0, INFINITY};
  if (differences.size() < policy.min_rounds) return {std::exp(median(differences)), 0, INFINITY};
  const auto [lower, upper] = median_interval(differences);
  return {std::exp(median(differences)), std::exp(lower), std::exp(upper)};
}

std::vector<Contender> run_rounds(Evaluator& evaluator, const Problem& problem,
                                  const std::vector<std::size_t>& contenders,
                                  std::size_t max_rounds, const Deadline& deadline,
                                  const Policy& policy, const std::function<void()>& after_round) {
  std::vector<Contender> all;
  for (const std::size_t configuration : contenders) all.push_back({configuration, {}});
  std::size_t judged = policy.min_rounds;
  for (std::size_t round = 1; round <= max_rounds; round++) {
    std::vector<std::pair<Contender*, double>> times;
    bool in_time = true;
    for (std::size_t i = 0; i < all.size() && in_time; i++) {
      Contender& contender = all[round % 2 == 1 ? i : all.size() - 1 - i];
      if (contender.out) continue;
      const auto time = evaluator.time(contender.configuration, problem, deadline.last);
      in_time = evaluator.now() < deadline.last;
      if (time) {
        times.emplace_back(&contender, *time);
      } else if (in_time) {
        contender.out = contender.failed = true;
      }
    }
    if (!in_time) break;  // an incomplete round is discarded, so that all times stay paired
    for (const auto& [contender, time] : times) contender->times.push_back(time);
    after_round();
    if (std::ranges::all_of(all, &Contender::out)) break;
    // Frequent tests would find differences by chance, so the rounds double between tests.
    if (round == judged) {
      judged *= 2;
      if (!thin_out(all, policy)) break;
    }
    if (round >= policy.min_rounds && evaluator.now() >= deadline.enough) break;
  }
  return all;
}

void rank(std::vector<Contender>& contenders, const Policy& policy) {
  const auto place = [](const Contender& c) {
    return std::tuple(c.times.empty() || c.failed, c.out, typical(c));
  };
  if (contenders.empty()) return;
  const Contender leader = *std::ranges::min_element(contenders, {}, place);
  std::ranges::stable_sort(contenders, {}, [&](const Contender& c) {
    return std::pair(c.times.empty() || c.failed, ratio(c, leader, policy).middle);
  });
}

}  // namespace tessera::inline v0::tuning
