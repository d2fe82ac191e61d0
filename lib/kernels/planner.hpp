// Planner: from a kernel choice to a plan, chosen, built and checked.
#pragma once

#include <string>

#include "kernels/operation.hpp"
#include "kernels/plan.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0::kernels {

/// Chooses, resolves and builds; the stream's context caches the plan by the operation's address. A
/// kernel that the caller named is used, or this throws ArgumentError, UnsupportedError or
/// BuildError. Without a name, the kernel that the profile has for such a problem is used, or else
/// the first preferred one that builds.
SharedPlan plan(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                const KernelChoice& choice);

/// Throws like `plan` for a kernel that the caller named and that cannot run, without building
/// it.
void check_choice(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                  const KernelChoice& choice);

/// Builds and checks a kernel that the caller named, as the child process does that uses it first.
/// Returns what is wrong with its results; empty if nothing. Throws like `plan`.
std::string use_first(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                      const KernelChoice& choice);

/// The same variant in another mode, with the nearest parameters that are legal there. Throws
/// UnsupportedError if it computes a small problem wrong in that mode.
SharedPlan in_mode(runtime::Stream& stream, const Operation& operation, Problem problem,
                   const Plan& plan, const Mode& mode);

/// The plan of a call that is about to run, which the log reports. Null for an empty call: it needs
/// no kernel, but one that the caller named must be able to run.
SharedPlan plan_of_call(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                        const KernelChoice& choice, bool is_empty);

}  // namespace tessera::inline v0::kernels
