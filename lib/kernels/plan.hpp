// Plan: a variant that is chosen, in a mode, with its parameters, built for a device and a type.
#pragma once

#include <memory>
#include <string>

#include "kernels/operation.hpp"
#include "kernels/profile.hpp"
#include "runtime/program_store.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0::kernels {

struct Plan {
  const Variant* variant;
  Mode mode;
  Parameters parameters;
  std::string reason;  ///< why it was chosen
  std::shared_ptr<runtime::Program> program;

  std::size_t size(const std::string& parameter) const {
    return kernels::size(parameters, parameter);
  }
  /// The variant's kernel, or with a suffix one that prepares for it.
  runtime::Kernel& kernel(const std::string& suffix = "") const;
};

/// Chooses, resolves and builds; the stream's context remembers, by the address of the operation. A
/// kernel that the caller named runs or this throws ArgumentError, UnsupportedError or BuildError.
/// Otherwise the one that the profile has for such a problem, or the first preferred one that
/// builds, is taken.
std::shared_ptr<const Plan> plan(runtime::Stream& stream, const Operation& operation,
                                 const Problem& problem, const KernelChoice& choice);

/// Throws as `plan` does for a kernel that the caller named and that cannot run, without building
/// it.
void check_choice(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                  const KernelChoice& choice);

/// The same variant in another mode, with the nearest parameters that are legal there.
std::shared_ptr<const Plan> in_mode(runtime::Stream& stream, const Operation& operation,
                                    Problem problem, const Plan& plan, const Mode& mode);

}  // namespace tessera::inline v0::kernels
