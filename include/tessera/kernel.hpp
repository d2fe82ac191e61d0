// Kernels as data: operations, their variants with parameters, which run where, and what ran.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/engine.hpp>
#include <tessera/event.hpp>
#include <tessera/export.hpp>

namespace tessera::inline v0 {

namespace kernels {
struct Plan;
struct Variant;
}  // namespace kernels

enum class ElementType { float32, float64, int32, float16 };

/// "float", "double", "int32" or "half".
TESSERA_API std::string_view name(ElementType type);

/// What a result promises beyond its error bound. Kernels so far are all `ieee`.
enum class Accuracy {
  ieee,     ///< infinities and NaN behave as in float arithmetic
  bounded,  ///< any hardware path for finite input, with |error| <= (k + 8) 2^-22 sum |a||b| +
            ///< k 2^-38 max|row of a| max|column of b|; what is not finite comes out as such
};

using Parameters = std::map<std::string, int>;

/// A kernel chosen by the caller: a variant, and those of its parameters that shall not be the
/// defaults. Empty: the library chooses.
struct KernelChoice {
  std::string variant = {};
  Parameters parameters = {};

  bool operator==(const KernelChoice&) const = default;
};

/// What ran, and why. Copies, and the runs of later calls with the same kernel, share all but the
/// events.
struct TESSERA_API KernelRun {
  std::shared_ptr<const kernels::Plan> plan = {};  ///< for the library itself
  Event started = {};                              ///< the first command
  Event finished = {};                             ///< the last command

  /// Empty where nothing ran.
  const std::string& operation() const;
  const std::string& variant() const;
  const Parameters& parameters() const;
  /// "named by the caller", "default for a GPU", …
  const std::string& reason() const;

  /// Seconds on the device; waits. Nothing where the engine was made without `profiling`.
  std::optional<double> seconds() const { return seconds_between(started, finished); }
};

struct ParameterInfo {
  std::string name, meaning;
  std::vector<int> candidates;  ///< the values that it can take, ascending
};

/// Yes, or a reason in words.
struct Verdict {
  bool yes = true;
  std::string reason;
  explicit operator bool() const { return yes; }
};

/// Which parameter sets of a variant to list.
enum class Coverage {
  defaults,         ///< the one that is taken when the caller names none
  every_candidate,  ///< a few that have each candidate value at least once
  all,              ///< every legal combination: of some variants tens of thousands
};

/// One kernel of an operation.
class TESSERA_API VariantInfo {
 public:
  explicit VariantInfo(const kernels::Variant& row) : row_(&row) {}

  const std::string& name() const;
  const std::string& summary() const;
  std::vector<ParameterInfo> parameters() const;
  /// Same input, same bits, on every run.
  bool deterministic() const;

  /// Asks the device; where only its compiler knows, builds and runs a small kernel, once an
  /// engine.
  Verdict runs_on(const Engine& engine, ElementType type) const;
  /// Legal parameter sets for this device and type; empty where the variant does not run.
  std::vector<Parameters> configurations(const Engine& engine, ElementType type,
                                         Coverage coverage) const;
  /// The legal parameter set that a call with `given` runs with: what is not given is the default,
  /// or as near to it as the rules allow. Throws ArgumentError for a parameter or value
  /// that the variant does not have, UnsupportedError where it does not run and where no legal set
  /// has `given`. A kernel that turns out to allow fewer work-items, once it is built, may run with
  /// a smaller set.
  Parameters resolve(const Engine& engine, ElementType type, const Parameters& given) const;

 private:
  const kernels::Variant* row_;
};

/// By what the lanes of a sub-group read each other's values on this device, the preferred first:
/// "cl_intel_subgroups", "cl_khr_subgroups", "NVIDIA PTX", and always "local memory". Each was
/// tried.
TESSERA_API std::vector<std::string> lane_exchanges(const Engine& engine);

struct OperationInfo {
  std::string name;
  std::vector<ElementType> types;  ///< of elements that it is for
  std::vector<VariantInfo> variants;
};

/// All operations of the library.
TESSERA_API const std::vector<OperationInfo>& operations();

}  // namespace tessera::inline v0
