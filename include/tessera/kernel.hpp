// Kernels as data: operations, their variants and parameters, where they run, and what ran.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tessera/capabilities.hpp>
#include <tessera/engine.hpp>
#include <tessera/event.hpp>
#include <tessera/export.hpp>
#include <tessera/problem.hpp>

namespace tessera::inline v0 {

namespace kernels {
struct Plan;
struct Variant;
}  // namespace kernels

using Parameters = std::map<std::string, int>;

/// A kernel chosen by the caller: a variant, and the parameters that override its defaults, as in
/// `{"tiled_static", {{"TILE", 8}}}`. Empty: the library chooses.
struct KernelChoice {
  std::string variant = {};
  Parameters parameters = {};

  bool operator==(const KernelChoice&) const = default;
};

/// Reads a variant and parameters, separated by spaces, as in "tiled_static TILE=8". An empty text
/// is the empty choice. Throws ArgumentError for other texts; the names are checked where they are
/// used.
TESSERA_API KernelChoice parse_kernel(std::string_view text);
/// The text of a choice, as parse_kernel() reads it.
TESSERA_API std::string to_string(const KernelChoice& kernel);

/// Options of a call that has no factors alpha and beta.
struct CallOptions {
  KernelChoice kernel = {};           ///< empty: the best known for device, type and size
  std::vector<Event> wait_for = {};   ///< events to wait for before it starts
  std::optional<Stream> stream = {};  ///< where it is enqueued; none: on the output's
};

/// The kernel that ran, and the reason for its choice. Copies, and the runs of later calls with the
/// same kernel, share everything except the events.
class TESSERA_API KernelRun {
 public:
  KernelRun() = default;

  /// The first command that has an event: without `profiling`, it may be behind all kernels.
  Event started;
  Event finished;  ///< the last command

  /// Empty if nothing ran.
  const std::string& operation() const;
  const std::string& variant() const;
  const Parameters& parameters() const;
  /// "named by the caller", "default for a gpu", …
  const std::string& reason() const;

  /// Device time in seconds; waits. Empty if the engine was created without `profiling`.
  std::optional<double> seconds() const { return seconds_between(started, finished); }

 private:
  friend struct detail::Access;
  explicit KernelRun(std::shared_ptr<const kernels::Plan> plan) : state_(std::move(plan)) {}

  std::shared_ptr<const kernels::Plan> state_;
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

/// The parameter sets of a variant to list.
enum class Coverage {
  defaults,         ///< the one that is used when the caller names none
  every_candidate,  ///< a few that cover every candidate value
  all,              ///< every legal combination: tens of thousands for some variants
};

/// One kernel of an operation.
class TESSERA_API VariantInfo {
 public:
  const std::string& name() const;
  const std::string& summary() const;
  std::vector<ParameterInfo> parameters() const;
  /// Same input, same bits, on every run.
  bool deterministic() const;

  /// Returns whether it runs on such a device, with these element types, in this mode; if not, also
  /// the reason.
  Verdict runs_on(const DeviceCapabilities& device, const ProductTypes& types,
                  const Mode& mode = {}) const;
  Verdict runs_on(const Engine& engine, const ProductTypes& types, const Mode& mode = {}) const {
    return runs_on(capabilities(engine), types, mode);
  }

  /// Legal parameter sets; empty if the variant does not run.
  std::vector<Parameters> configurations(const DeviceCapabilities& device,
                                         const ProductTypes& types, Coverage coverage,
                                         const Mode& mode = {}) const;
  std::vector<Parameters> configurations(const Engine& engine, const ProductTypes& types,
                                         Coverage coverage, const Mode& mode = {}) const {
    return configurations(capabilities(engine), types, coverage, mode);
  }

  /// The legal parameter set that a call with `given` runs with: a parameter that is not given has
  /// its default, or the value nearest to it that the rules allow. Throws ArgumentError for an
  /// unknown parameter or value, UnsupportedError if the variant does not run or no legal set
  /// contains `given`. A kernel that allows fewer work-items once it is built may run with a
  /// smaller set.
  Parameters resolve(const DeviceCapabilities& device, const ProductTypes& types,
                     const Parameters& given, const Mode& mode = {}) const;
  Parameters resolve(const Engine& engine, const ProductTypes& types, const Parameters& given,
                     const Mode& mode = {}) const {
    return resolve(capabilities(engine), types, given, mode);
  }

 private:
  friend struct detail::Access;
  explicit VariantInfo(const kernels::Variant& row) : row_(&row) {}

  const kernels::Variant* row_;
};

/// The dimensions that make up the shape of an operation's problems.
enum class Dimensions {
  matrix,         ///< m x n
  square_matrix,  ///< m x m, and n is m
  product,        ///< m x k times k x n
  vector_product  ///< m x k times k
};

struct OperationInfo {
  std::string name;
  Dimensions dimensions = Dimensions::matrix;
  std::vector<ProductTypes> types;  ///< supported element types
  bool transposes = false;          ///< its inputs may be transposed
  bool batches = false;             ///< one call may cover several problems
  bool limited_by_memory = true;    ///< memory-bound rather than compute-bound
  double tuning_weight = 0;         ///< share of a tuner's time if no operation is named
  std::vector<VariantInfo> variants = {};
};

/// All operations of the library.
TESSERA_API const std::vector<OperationInfo>& operations();

/// The operation of that name. Throws ArgumentError, which lists the names that exist.
TESSERA_API const OperationInfo& info_of(const std::string& operation);

}  // namespace tessera::inline v0
