// Converts trials to JSON and back. A missing field throws Json::exception.
#include "tuning/protocol.hpp"

#include <algorithm>

namespace tessera::inline v0::tuning {

Json greeting() { return {{"tessera", TESSERA_VERSION}}; }

Json json_of(const Trial& trial) {
  return {{"kernel", json_of(trial.kernel)},
          {"outcome", name(trial.outcome)},
          {"reason", trial.reason},
          {"runs", trial.runs},
          {"build", trial.build},
          {"check", trial.check},
          {"timing", trial.timing},
          {"ended", trial.ended}};
}

Trial trial_of(const Json& json) {
  const auto outcome = std::ranges::find(outcomes(), json.at("outcome").get<std::string>(),
                                         [](Outcome o) { return std::string(name(o)); });
  if (outcome == outcomes().end()) throw Json::other_error::create(501, "no such outcome", nullptr);
  return {.kernel = kernel_of(json.at("kernel")),
          .outcome = *outcome,
          .reason = json.at("reason"),
          .runs = json.at("runs").get<std::vector<double>>(),
          .build = json.at("build"),
          .check = json.at("check"),
          .timing = json.at("timing"),
          .ended = json.value("ended", 0.0)};
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tessera::inline v0::tuning
