// Plan: a chosen variant with its mode and parameters, built for a device and an element type.
#pragma once

#include <memory>
#include <string>

#include "kernels/operation.hpp"
#include "kernels/profile.hpp"
#include "runtime/program_store.hpp"
#include "runtime/stream.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::kernels {

struct Plan {
  /// Throws cl::Error if the program has no such kernel.
  Plan(const Variant* its_variant, Mode its_mode, Parameters its_parameters, std::string its_reason,
       std::shared_ptr<runtime::Program> built);

  const Variant* variant;
  Mode mode;
  Parameters parameters;
  std::string reason;  ///< why it was chosen
  std::shared_ptr<runtime::Program> program;

  std::size_t size(const std::string& parameter) const {
    return kernels::size(parameters, parameter);
  }
  /// The variant's kernel.
  runtime::Kernel& kernel() const { return *own_kernel_; }
  /// One that prepares for the variant's, or finishes what it did.
  runtime::Kernel& kernel(const std::string& suffix) const;

 private:
  runtime::Kernel* own_kernel_;
};

/// Ends an operation that ran the plan.
KernelRun finish(runtime::Submission& submission, const SharedPlan& plan);

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
