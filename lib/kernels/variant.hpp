// A kernel variant as a row of data: files, parameters, rules, needs.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/program_store.hpp"
#include "tessera/capabilities.hpp"
#include "tessera/kernel.hpp"

namespace tessera::inline v0::kernels {

/// The mode on a device: its accumulator is never `automatic`.
Mode resolved(Mode mode, const DeviceInfo& device);

/// What rules and defaults look at: values, no device.
struct Target {
  /// For kernels that may have as many work-items as the device allows, in the mode of the problem.
  Target(const DeviceCapabilities& capabilities, ElementType element_type, const Mode& wanted = {});

  const DeviceCapabilities* capabilities;
  ElementType type;
  Mode mode;                   ///< resolved
  std::size_t max_work_group;  ///< less than the device's where a built kernel allows less

  const DeviceCapabilities& device() const { return *capabilities; }
};

/// A number that is chosen for a device: a macro of the kernel, or known at the launch only.
struct Parameter {
  std::string name;
  std::string meaning;
  std::vector<int> candidates;  ///< ascending
  bool at_launch = false;       ///< no macro: changing it needs no build
};

/// What parameters must fulfil. Holds or is broken by a whole set.
struct Rule {
  std::string text;
  std::function<bool(const Parameters&, const Target&)> holds;
  /// The parameters that it looks at; empty: it may look at any. Where a rule names them, what it
  /// forbids is left out of a search early.
  std::vector<std::string> depends_on = {};
};

/// The value of a parameter that is a size.
inline std::size_t size(const Parameters& parameters, const std::string& name) {
  return static_cast<std::size_t>(parameters.at(name));
}

/// Work-items of a work-group in dimensions 0 and 1.
using WorkGroup = std::array<std::size_t, 2>;

/// One kernel of an operation, without how it is enqueued: that depends on the operation's problem.
struct Variant {
  std::string name;
  std::string summary;
  std::vector<std::string> common;  ///< files of cl/common/, in order, before the variant's own
  std::vector<Parameter> parameters = {};
  /// Preferred values; a candidate below is taken where they break a rule.
  std::function<Parameters(const Target&)> preferred = [](const Target&) { return Parameters(); };
  std::vector<Rule> rules = {};
  std::function<WorkGroup(const Parameters&)> work_group = [](const Parameters&) {
    return WorkGroup{1, 1};
  };
  /// Bytes of local memory that a work-group uses.
  std::function<std::size_t(const Parameters&, const Target&)> local_bytes =
      [](const Parameters&, const Target&) { return std::size_t{0}; };
  /// Why it cannot run on a device with a type at all; empty where it can.
  std::function<std::string(const Target&)> unsupported_reason = [](const Target&) {
    return std::string();
  };
  /// Build options beyond the parameters, with a space before each; those of the mode are among
  /// them.
  std::function<std::string(const Parameters&, const Target&)> options =
      [](const Parameters&, const Target&) { return std::string(); };
  /// Why the kernel, once built for the device, is not what was asked for; empty where it is.
  std::function<std::string(const runtime::Kernel&, const cl::Device&, const Parameters&)>
      built_kernel_problem = [](const runtime::Kernel&, const cl::Device&, const Parameters&) {
        return std::string();
      };
  bool deterministic = true;
  std::string operation = {};  ///< that the table with this row belongs to

  /// "multiply/naive".
  std::string full_name() const { return operation + "/" + name; }
  /// Files below cl/, the variant's own last.
  std::vector<std::string> files() const;
};

/// Why the variant does not run on the target; nothing where it does.
std::optional<std::string> why_not(const Variant& variant, const Target& target);

/// The rule that a set of parameters breaks, in words; nothing where it is legal. All parameters
/// are there.
std::optional<std::string> broken_rule(const Variant& variant, const Parameters& parameters,
                                       const Target& target);

/// The limit of the device that a set of parameters is beyond, in words; nothing where it fits.
std::optional<std::string> exceeded_limit(const Variant& variant, const Parameters& parameters,
                                          const Target& target);

/// The legal set that has `given` and otherwise comes nearest to what the variant prefers. Throws
/// UnsupportedError for a name or value that the variant does not have, and where `given` breaks a
/// rule.
Parameters resolve(const Variant& variant, const Parameters& given, const Target& target);

/// The legal set that comes nearest to `wished`, of which what the variant does not have is left
/// out. Throws UnsupportedError where no set is legal.
Parameters nearest_legal(const Variant& variant, const Parameters& wished, const Target& target);

/// Legal sets of parameters; empty where the variant does not run on the target.
std::vector<Parameters> configurations(const Variant& variant, const Target& target,
                                       Coverage coverage);

/// "TILE=16 …", for logs.
std::string text_of(const Parameters& parameters);

}  // namespace tessera::inline v0::kernels
