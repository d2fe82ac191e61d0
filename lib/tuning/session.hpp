// Session: a tuning from the first configuration to the winner, with any evaluator.
#pragma once

#include <functional>
#include <vector>

#include "tessera/tune.hpp"
#include "tuning/evaluator.hpp"
#include "tuning/neighbours.hpp"
#include "tuning/policy.hpp"
#include "tuning/space.hpp"

namespace tessera::inline v0::tuning {

struct Session {
  const Space& space;
  Evaluator& evaluator;
  const TuneOptions& options;
  std::size_t default_configuration;
  std::vector<std::size_t> first;  ///< to be tried before others, including the default
  /// Problems on which a winner that takes `seconds` is also compared with the default.
  std::function<Neighbourhood(double seconds)> nearby = [](double) { return Neighbourhood(); };
  std::vector<Trial> earlier = {};  ///< from a journal
  const Policy& policy;
};

/// True if the winner is another kernel than the default, and the default fails other than by a
/// timeout, or is slower by more than the noise and `policy.worth_saving`.
bool beats_default(const TuneResult& result, const Policy& policy);

/// Searches, times the best in turns with the default, checks the winner again and measures its
/// neighbours; if the check fails, the next best wins. Sets all of TuneResult except what is saved.
TuneResult run(const Session& session, const Problem& problem, const DeviceInfo& device);

}  // namespace tessera::inline v0::tuning
