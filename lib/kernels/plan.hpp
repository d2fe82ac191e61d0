// Plan: a variant that is chosen, with its parameters, built for a device and a type.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/profile.hpp"
#include "kernels/variant.hpp"
#include "runtime/program_store.hpp"

namespace tessera::inline v0::kernels {

struct Plan {
  const Variant* variant;
  Parameters parameters;
  std::string reason;  ///< why it was chosen
  std::shared_ptr<runtime::Program> program;

  std::size_t size(const std::string& parameter) const {
    return kernels::size(parameters, parameter);
  }
  /// The variant's kernel, or with a suffix one that prepares for it.
  runtime::Kernel& kernel(const std::string& suffix = "") const;
};

/// An operation: its variants, and which to try in what order where the caller names none.
struct Operation {
  std::string name;
  std::vector<ElementType> types;  ///< of elements that it is for
  std::vector<const Variant*> variants;
  std::function<std::vector<std::string>(const DeviceInfo&)> preference;
};

/// The variant of that name. Throws UnsupportedError, which lists those there are.
const Variant& find_variant(const Operation& operation, const std::string& name);

/// Chooses, settles and builds; the stream's context remembers, by the address of the operation. A
/// kernel that the caller named runs or this throws UnsupportedError or BuildError. Otherwise the
/// one that the profile has for such an extent, or the first preferred one that builds, is taken.
std::shared_ptr<const Plan> plan(runtime::Stream& stream, const Operation& operation,
                                 ElementType type, const KernelChoice& choice,
                                 const Extent& extent = {});

}  // namespace tessera::inline v0::kernels
