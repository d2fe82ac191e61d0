// A kernel variant as a row of data: parameters, rules, requirements.
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
#include "tessera/problem.hpp"

namespace tessera::inline v0::kernels {

/// The mode resolved for a device: its accumulator is never `automatic`.
Mode resolved(Mode mode, const DeviceInfo& device);

/// The values that rules and defaults depend on, without a live device.
struct Target {
  /// Sets `max_work_group` to the device's limit. Uses only the types, ops and mode of the problem.
  Target(const DeviceCapabilities& capabilities, const Problem& problem);

  const DeviceCapabilities* capabilities;
  ProductTypes types;
  Op op_a, op_b;
  Mode mode;                   ///< resolved
  std::size_t max_work_group;  ///< below the device's if a built kernel allows fewer

  const DeviceCapabilities& device() const { return *capabilities; }
};

/// A number that is chosen for a device: a macro of the kernel, or used only at launch.
struct Parameter {
  std::string name;
  std::string meaning;
  std::vector<int> candidates;  ///< ascending
  bool at_launch = false;       ///< not a macro: changing it needs no rebuild
};

/// A constraint on parameters, which a whole set satisfies or breaks.
struct Rule {
  std::string text;
  std::function<bool(const Parameters&, const Target&)> holds;
  /// The parameters that it depends on; empty: it may depend on any. A rule that names them prunes
  /// a search early.
  std::vector<std::string> depends_on = {};
};

/// The value of a parameter that is a size.
inline std::size_t size(const Parameters& parameters, const std::string& name) {
  return static_cast<std::size_t>(parameters.at(name));
}

/// Work-items of a work-group in dimensions 0 and 1.
using WorkGroup = std::array<std::size_t, 2>;

/// One kernel of an operation, but not how it is enqueued: that depends on the operation's problem.
struct Variant {
  std::string name;
  std::string summary;
  /// Supported types. Empty: the operation's types, or any if it has none.
  std::vector<ProductTypes> types = {};
  std::vector<Parameter> parameters = {};
  /// Preferred values; if they break a rule, the nearest legal candidates are used.
  std::function<Parameters(const Target&)> preferred = [](const Target&) { return Parameters(); };
  std::vector<Rule> rules = {};
  std::function<WorkGroup(const Parameters&)> work_group = [](const Parameters&) {
    return WorkGroup{1, 1};
  };
  /// Bytes of local memory that a work-group uses.
  std::function<std::size_t(const Parameters&, const Target&)> local_bytes =
      [](const Parameters&, const Target&) { return std::size_t{0}; };
  /// Why it cannot run at all on a device or in a mode; empty if it can.
  std::function<std::string(const Target&)> unsupported_reason = [](const Target&) {
    return std::string();
  };
  /// Build options beyond the parameters, including options for the mode, each with a
  /// leading space.
  std::function<std::string(const Parameters&, const Target&)> options =
      [](const Parameters&, const Target&) { return std::string(); };
  /// Why the kernel, once built for the device, is not what was requested; empty if it is.
  std::function<std::string(const runtime::Kernel&, const cl::Device&, const Parameters&)>
      built_kernel_problem = [](const runtime::Kernel&, const cl::Device&, const Parameters&) {
        return std::string();
      };
  /// Set by the table of the row: how a call of its operation is enqueued, without the call's type.
  void (*enqueue)() = nullptr;
  bool deterministic = true;
  /// Written for CPUs: a GPU's compiler takes long over its vectors and spills them.
  bool for_cpus = false;
  std::string operation = {};  ///< that the table of this row belongs to

  /// "multiply/naive".
  std::string full_name() const { return operation + "/" + name; }
  /// Its file below cl/.
  std::string file() const { return full_name() + ".cl"; }
};

/// True if a search tries it without being asked to.
bool is_searched(const Variant& variant, const Target& target);

/// The rule or limit that a complete set of parameters breaks, in words; empty if the set is
/// legal.
std::optional<std::string> broken_rule(const Variant& variant, const Parameters& parameters,
                                       const Target& target);

/// The device limit that a set of parameters exceeds, in words; empty if it fits.
std::optional<std::string> exceeded_limit(const Variant& variant, const Parameters& parameters,
                                          const Target& target);

/// All build options of its program.
std::string build_options(const Variant& variant, const Parameters& parameters,
                          const Target& target);

/// "TILE=16 …", for logs.
std::string text_of(const Parameters& parameters);

}  // namespace tessera::inline v0::kernels
