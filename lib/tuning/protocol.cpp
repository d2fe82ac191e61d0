// Values of the public interface to JSON, and back. What is missing throws Json::exception.
#include "tuning/protocol.hpp"

#include <algorithm>
#include <array>

namespace tessera::inline v0::tuning {

Json json_of(const KernelChoice& kernel) {
  return {{"variant", kernel.variant}, {"parameters", kernel.parameters}};
}

KernelChoice kernel_of(const Json& json) {
  return {json.at("variant"), json.at("parameters").get<Parameters>()};
}

Json json_of(const TuneProblem& problem) {
  return {{"operation", problem.operation},
          {"type", static_cast<int>(problem.type)},
          {"size", {problem.rows, problem.columns, problem.inner}},
          {"transpose_a", problem.transpose_a},
          {"transpose_b", problem.transpose_b}};
}

TuneProblem problem_of(const Json& json) {
  return {.operation = json.at("operation"),
          .type = static_cast<ElementType>(json.at("type").get<int>()),
          .rows = json.at("size").at(0),
          .columns = json.at("size").at(1),
          .inner = json.at("size").at(2),
          .transpose_a = json.at("transpose_a"),
          .transpose_b = json.at("transpose_b")};
}

Json json_of(const Attempt& attempt) {
  return {{"kernel", json_of(attempt.kernel)},
          {"outcome", name(attempt.outcome)},
          {"reason", attempt.reason},
          {"runs", attempt.runs},
          {"build", attempt.build},
          {"check", attempt.check},
          {"timing", attempt.timing},
          {"ended", attempt.ended}};
}

Attempt attempt_of(const Json& json) {
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
