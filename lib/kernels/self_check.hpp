// Self-check: a kernel that the library chooses computes small problems right before its first
// use on a machine.
#pragma once

#include <functional>
#include <string>

#include "kernels/operation.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0::kernels {

/// False where $TESSERA_SELF_CHECK is "off".
bool self_checks();

/// The stream's device, with a stream that has nothing to do with the caller's.
Engine engine_apart(runtime::Stream& stream);

/// Runs a check before the first use of `programs` (Program::identity() of each) on this machine.
/// Skips the check if $TESSERA_CACHE has stored that it succeeded before. Returns what is wrong;
/// empty if nothing, if the check is not supported or has no memory, and unless self_checks().
/// Errors of OpenCL propagate.
std::string check_once(runtime::Stream& stream, const std::string& what,
                       const std::string& programs, const std::function<std::string()>& failure_of);

/// Runs the operation's first cases for `problem` by a plan for such problems, on a stream of its
/// own: the caller's may wait for something that the caller does later. Returns what is wrong with
/// the first result that is, like check_once().
std::string self_check(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                       const SharedPlan& plan);

}  // namespace tessera::inline v0::kernels
