// Protocol: what a tuner and its workers say to each other, lines of JSON; a journal keeps some.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tessera/tune.hpp"

namespace tessera::inline v0::tuning {

using Json = nlohmann::ordered_json;

Json json_of(const KernelChoice& kernel);
KernelChoice kernel_of(const Json& json);
Json json_of(const TuneProblem& problem);
TuneProblem problem_of(const Json& json);
Json json_of(const Attempt& attempt);
Attempt attempt_of(const Json& json);

/// One line, its end too. What is no UTF-8, as in a compiler's log, is replaced.
std::string line_of(const Json& json);

}  // namespace tessera::inline v0::tuning
