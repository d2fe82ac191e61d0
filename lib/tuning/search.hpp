// Search: which configurations to try next, given the observations so far.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "tessera/tune.hpp"
#include "tuning/policy.hpp"
#include "tuning/surrogate.hpp"

namespace tessera::inline v0::tuning {

/// All strategies propose the given configurations first. `model` then proposes some at random.
/// After these, it ranks the configurations near the best and a random sample by their expected
/// improvement over the best (Jones, Schonlau and Welch, J. Global Optimization 13, 1998) under a
/// surrogate. Every tenth proposal is still drawn at random. The same seed and observations give
/// the same proposals.
class Search {
 public:
  Search(const Space& space, TuneStrategy strategy, std::uint64_t seed,
         std::vector<std::size_t> first, const Policy& policy);

  /// Up to `count` configurations that were not proposed before; none if all have been.
  std::vector<std::size_t> propose(std::size_t count);
  /// Records the result of a configuration; `seconds` is empty if it failed. One that was not
  /// proposed, from an earlier search, counts as proposed.
  void observe(std::size_t configuration, std::optional<double> seconds);

 private:
  std::optional<std::size_t> any();
  std::vector<std::size_t> candidates();
  std::vector<std::size_t> promising(std::size_t count);
  void take(std::size_t configuration, std::vector<std::size_t>& proposed);

  const Space& space_;
  Policy policy_;
  TuneStrategy strategy_;
  std::mt19937_64 random_;
  std::vector<std::size_t> unseen_, first_;  // still to come, the next one last
  std::vector<bool> proposed_;
  std::vector<Observation> seen_;
  std::vector<std::size_t> failed_;
  Surrogate surrogate_;
  std::size_t proposals_ = 0;
};

}  // namespace tessera::inline v0::tuning
