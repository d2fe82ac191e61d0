// Rounds, and the medians of paired ratios of times.
#include "tuning/finals.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tuning/statistics.hpp"

namespace tessera::inline v0::tuning {
namespace {

double typical(const Contender& contender) {
  return contender.times.empty() ? INFINITY : median(contender.times);
}

/// Takes out what is slower than the leader beyond doubt; does more than one remain?
bool thin_out(std::vector<Contender>& all) {
  std::vector<Contender*> in;
  for (Contender& c : all) {
    if (!c.out) in.push_back(&c);
  }
  const auto leader =
      *std::ranges::min_element(in, {}, [](const Contender* c) { return typical(*c); });
  std::size_t left = 0;
  for (Contender* c : in) {
    if (c != leader && c != &all.front() && ratio(*c, *leader).lower > 1) c->out = true;
    left += c->out ? 0 : 1;
  }
  // The default stays to be compared with: two are left where it is not the leader.
  const bool decided = left == 1 || (left == 2 && leader != &all.front() && !all.front().out &&
                                     ratio(all.front(), *leader).lower > 1);
  return !decided;
}

}  // namespace

Ratio ratio(const Contender& a, const Contender& b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(a.times.size(), b.times.size()); i++)
    differences.push_back(std::log(a.times[i] / b.times[i]));
  if (differences.empty()) return {1, 0, INFINITY};
  if (differences.size() < kFewestRounds) return {std::exp(median(differences)), 0, INFINITY};
  const auto [lower, upper] = median_interval(differences);
  return {std::exp(median(differences)), std::exp(lower), std::exp(upper)};
}

std::vector<Contender> run_rounds(Laboratory& laboratory, const TuneProblem& problem,
                                  const std::vector<std::size_t>& contenders,
                                  std::size_t most_rounds, double deadline,
                                  const std::function<void()>& after_round) {
  std::vector<Contender> all;
  for (const std::size_t configuration : contenders) all.push_back({configuration, {}});
  bool in_time = true;
  for (std::size_t round = 0; round < most_rounds && in_time; round++) {
    std::vector<std::pair<Contender*, double>> times;
    for (std::size_t i = 0; i < all.size() && in_time; i++) {
      Contender& contender = all[round % 2 == 0 ? i : all.size() - 1 - i];
      if (contender.out) continue;
      const auto time = laboratory.time(contender.configuration, problem, deadline);
      in_time = laboratory.now() < deadline;
      if (time) {
        times.emplace_back(&contender, *time);
      } else if (in_time) {
        contender.out = contender.failed = true;
      }
    }
    // A round that was cut short is left out, so that all times stay in pairs.
    if (in_time || round == 0) {
      for (const auto& [contender, time] : times) contender->times.push_back(time);
    }
    after_round();
    if (std::ranges::all_of(all, &Contender::out)) break;
    if (round + 1 >= kFewestRounds && !thin_out(all)) break;
  }
  return all;
}

void rank(std::vector<Contender>& contenders) {
  std::ranges::stable_sort(contenders, {},
                           [](const Contender& c) { return std::pair(c.failed, typical(c)); });
}

}  // namespace tessera::inline v0::tuning
