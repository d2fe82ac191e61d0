// Session: the search from its first configuration to the winner, wherever they are tried.
#pragma once

#include <functional>
#include <vector>

#include "tessera/tune.hpp"
#include "tuning/laboratory.hpp"
#include "tuning/space.hpp"

namespace tessera::inline v0::tuning {

struct Session {
  const Space& space;
  Laboratory& laboratory;
  const TuneOptions& options;
  std::size_t default_configuration;
  std::vector<std::size_t> first;     ///< to be tried before others, the default among them
  std::vector<Attempt> earlier = {};  ///< from a journal
  std::function<void(const Attempt&)> ended = [](const Attempt&) {};
};

/// Searches, then times the best in turns with the default, and checks the winner again; where that
/// fails, the next best wins. All of TuneResult but what is saved.
TuneResult run(const Session& session, const TuneProblem& problem, const DeviceInfo& device);

}  // namespace tessera::inline v0::tuning
