// Protocol: lines of JSON that a tuner and its workers exchange; a journal keeps some of them.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "kernels/json.hpp"
#include "runtime/child_process.hpp"
#include "runtime/names.hpp"
#include "tessera/tune.hpp"
#include "tuning/policy.hpp"

namespace tessera::inline v0::runtime {

template <>
struct Names<Outcome> {
  static constexpr std::array<std::string_view, 8> kAll = {
      "ok",        "slow",        "wrong",  "build failed", "build timeout",
      "resources", "run timeout", "crashed"};
};

}  // namespace tessera::inline v0::runtime

namespace tessera::inline v0::tuning {

using kernels::Json, kernels::json_of, kernels::kernel_of, kernels::number, kernels::problem_of,
    kernels::read, runtime::greeting, runtime::line_of;

Json json_of(const Trial& trial);
/// Throws Json::exception for a missing field, an invalid value or a run below
/// `policy.shortest_run`.
Trial trial_of(const Json& json, const Policy& policy);

}  // namespace tessera::inline v0::tuning
