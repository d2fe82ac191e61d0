// Operation: a contract, its variants and its tests, as a row of data.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/variant.hpp"
#include "kernels/workload.hpp"
#include "runtime/shape.hpp"
#include "tessera/check.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::kernels {

/// A variant that is preferred for a problem, and the values that suit the problem better than
/// those that the variant prefers in general.
struct Preferred {
  template <std::convertible_to<std::string_view> Name>
  Preferred(const Name& name, Parameters values = {}, std::optional<double> time = {})
      : variant(name), parameters(std::move(values)), seconds(time) {}

  std::string_view variant;
  Parameters parameters;
  std::optional<double> seconds;  ///< of one call, if a cost model expects it
};

/// Preferred variants, the best one first.
using Preference = std::vector<Preferred>;

/// The default for functions of a row: returns an empty value.
template <class T>
struct None {
  template <class... Arguments>
  T operator()(const Arguments&...) const {
    return T();
  }
};

/// An operation. Nothing outside its row and its public header knows its name.
struct Operation {
  std::string name;
  Dimensions dimensions = Dimensions::matrix;
  std::vector<ProductTypes> types = {};  ///< element types that it supports
  bool transposes = false, batches = false, limited_by_memory = true;  ///< see OperationInfo
  double tuning_weight = 0;
  std::vector<const Variant*> variants = {};

  /// Variants to try if the caller names none.
  std::function<Preference(const DeviceCapabilities&, const Problem&)> preference =
      None<Preference>();
  std::function<Work(const Problem&)> work = None<Work>();

  /// Small problems with extents around the edges of tiles, for these parameters of a variant; more
  /// for the defaults. No extent exceeds `largest`, which is at least 16. Their operation need not
  /// be set.
  std::function<std::vector<CheckCase>(const ProductTypes& types, const Parameters& parameters,
                                       bool defaults, std::size_t largest)>
      check_cases = None<std::vector<CheckCase>>();
  /// Cases that the winner of a tuning for `problem` has to pass before it is saved.
  std::function<std::vector<CheckCase>(const Problem& problem, const Parameters& parameters,
                                       std::uint64_t seed)>
      final_cases = None<std::vector<CheckCase>>();
  /// Small problems for the check of a kernel before its first use on a machine. They depend only
  /// on the types, transposes and mode of `problem`. If the function is empty, nothing is checked.
  std::function<std::vector<CheckCase>(const Problem& problem, const Parameters& parameters)>
      first_cases = {};
  /// Runs a plan for such problems on a case, and checks every element against the reference and
  /// its bound.
  std::function<CheckResult(const Engine&, const CheckCase&, const SharedPlan&)> check =
      None<CheckResult>();
  /// Operands for a tuner.
  std::function<std::unique_ptr<Workload>(const Engine&, const Problem&, std::uint64_t seed)>
      workload = None<std::unique_ptr<Workload>>();
  /// The matrices that workload() allocates.
  std::function<std::vector<runtime::MatrixSize>(const Problem&)> workload_matrices =
      None<std::vector<runtime::MatrixSize>>();
};

/// "1024 x 768 x 512, a transposed": the extents that count, and what is not the default.
std::string dimensions_text(const Operation& operation, const Problem& problem);
/// "multiply float 1024 x 768 x 512": dimensions_text() after the operation's name and the types.
std::string describe(const Operation& operation, const Problem& problem);

/// The variant of that name. Throws ArgumentError, which lists the names that exist.
const Variant& find_variant(const Operation& operation, std::string_view name);

}  // namespace tessera::inline v0::kernels
