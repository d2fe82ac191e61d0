// Defect: whether a run among faults ends as the library promises.
#pragma once

#include <string>
#include <string_view>

#include "scenarios.hpp"

namespace tessera::test {

/// Is it the call that failed, as OpenClError::call() names it?
bool is_failed_call(std::string_view call);
/// Does the text of another error name the call that failed with this code, or say in words what
/// the code means: no device, or a program that does not compile?
bool tells_failure(std::string_view text, int code);

/// What is wrong with how a run ends; empty where it gives the right values or throws what the
/// library promises. `code` is that of a call that fails, which errors are to name; 0: a
/// command fails, or the device is lost.
std::string defect(const Scenario& scenario, const Engine& engine, bool& threw, int code = 0);

}  // namespace tessera::test
