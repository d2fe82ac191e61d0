// Defect: whether a run among faults ends as the library promises.
#pragma once

#include <string>
#include <string_view>

#include "scenarios.hpp"

namespace tessera::test {

/// Returns whether `call` is the call that failed, as OpenClError::call() names it.
bool is_failed_call(std::string_view call);
/// Returns whether the text of another error describes the failure: it contains the name of the
/// failed call and this code, or the code's meaning (no such device, or a program that does not
/// compile).
bool tells_failure(std::string_view text, int code);

/// Describes what is wrong with the outcome of a run; empty if it gives the right values or throws
/// the errors that the library promises. `code` is the code of a failing call, which errors have to
/// name; 0: a command fails, or the device is lost.
std::string defect(const Scenario& scenario, const Engine& engine, bool& threw, int code = 0);

}  // namespace tessera::test
