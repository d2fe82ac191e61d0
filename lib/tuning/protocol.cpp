// Converts trials to JSON and back.
#include "tuning/protocol.hpp"

namespace tessera::inline v0::tuning {

Json json_of(const Trial& trial) {
  return {{"kernel", json_of(trial.kernel)},
          {"outcome", to_string(trial.outcome)},
          {"reason", trial.reason},
          {"runs", trial.runs},
          {"build", trial.build},
          {"check", trial.check},
          {"timing", trial.timing},
          {"ended", trial.ended}};
}

Trial trial_of(const Json& json, const Policy& policy) {
  const auto outcome = runtime::value_named<Outcome>(json.at("outcome").get<std::string>());
  if (!outcome) throw Json::other_error::create(501, "no such outcome", nullptr);
  Trial trial{.kernel = kernel_of(json.at("kernel")),
              .outcome = *outcome,
              .reason = json.at("reason"),
              .build = number<double>(json.at("build"), 0),
              .check = number<double>(json.at("check"), 0),
              .timing = number<double>(json.at("timing"), 0)};
  read(json, "ended", trial.ended);
  for (const Json& run : json.at("runs"))
    trial.runs.push_back(number<double>(run, policy.shortest_run));
  return trial;
}

}  // namespace tessera::inline v0::tuning
