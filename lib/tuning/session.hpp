// Session: the search from its first configuration to the winner, wherever they are tried.
#pragma once

#include <functional>
#include <vector>

#include "tessera/tune.hpp"
#include "tuning/evaluator.hpp"
#include "tuning/policy.hpp"
#include "tuning/reach.hpp"
#include "tuning/space.hpp"

namespace tessera::inline v0::tuning {

struct Session {
  const Space& space;
  Evaluator& evaluator;
  const TuneOptions& options;
  std::size_t default_configuration;
  std::vector<std::size_t> first;  ///< to be tried before others, the default among them
  /// Where a winner that takes so many seconds has to be faster too.
  std::function<std::vector<Ring>(double seconds)> rings = [](double) {
    return std::vector<Ring>();
  };
  std::vector<Trial> earlier = {};  ///< from a journal
  Policy policy = {};
};

/// Is the winner another kernel than the default, which is slower by more than the noise and 1 %,
/// or fails?
bool beats_default(const TuneResult& result);

/// Searches, then times the best in turns with the default, checks the winner again, and looks how
/// far it reaches; where the check fails, the next best wins. All of TuneResult but what is saved.
TuneResult run(const Session& session, const Problem& problem, const DeviceInfo& device);

}  // namespace tessera::inline v0::tuning
