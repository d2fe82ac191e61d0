// eigen_plan: the kernels of a solve, chosen, built and checked in advance.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tessera/eigen.hpp>

namespace tessera::inline v0 {

namespace detail {
struct EigenPlanState;
}

/// The options that may differ between runs of a plan, as in EigenOptions.
struct EigenRunOptions {
  std::vector<Event> wait_for = {};
  std::optional<Stream> stream = {};  ///< any stream of the plan's engine; none: the matrix's
  std::function<void(const EigenProgress&)> progress = {};
  CancelToken cancel = {};
};

/// The kernels of solves of one size with the same options. run() accepts all matrices of that size
/// and type of the engine, transposed ones too.
///
///     EigenPlan plan = plan_dominant_eigenpair(a);
///     for (...) EigenPair pair = plan.run(a);
///
/// A run chooses only the kernels of a transposition, and of the irreducible blocks of a matrix
/// that rounds alone do not answer. Copies share the plan. Safe to use from several threads. A plan
/// keeps its engine's context alive; a profile that changes later does not change it.
class TESSERA_API EigenPlan {
 public:
  /// The kernel of each operation, and why it was chosen. Their events are empty.
  const std::vector<KernelRun>& kernels() const;

  /// The same as dominant_eigenpair() with the plan's options. Waits. Throws ArgumentError for a
  /// matrix of another size, type or engine, and like dominant_eigenpair().
  template <detail::RealMatrix A>
  EigenPair<ElementOf<A>> run(const A& a, const EigenRunOptions& options = {}) const {
    return detail::typed<ElementOf<A>>(run(detail::operand(a), options));
  }

 private:
  friend struct detail::Access;
  explicit EigenPlan(std::shared_ptr<const detail::EigenPlanState> state)
      : state_(std::move(state)) {}
  detail::EigenPairOperand run(const detail::Operand& a, const EigenRunOptions& options) const;

  std::shared_ptr<const detail::EigenPlanState> state_;
};

namespace detail {

TESSERA_API EigenPlan plan_dominant_eigenpair(const Operand& a, const EigenOptions& options);

}  // namespace detail

/// A plan for solves like this one. Its elements are not read. Waits for the compiler and for the
/// check of new kernels. Throws like dominant_eigenpair().
template <detail::RealMatrix A>
EigenPlan plan_dominant_eigenpair(const A& a, const EigenOptions& options = {}) {
  return detail::plan_dominant_eigenpair(detail::operand(a), options);
}

}  // namespace tessera::inline v0
