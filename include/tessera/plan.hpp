// plan: a product with its kernel chosen, built and checked in advance, to run again and again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <tessera/matrix_vector.hpp>
#include <tessera/multiply_batched.hpp>
#include <tessera/problem.hpp>

namespace tessera::inline v0 {

namespace detail {
struct PlanState;
}

/// The options that may differ between runs of a plan.
struct RunOptions {
  Scalar alpha = 1;                   ///< at 0, a and b are not read
  Scalar beta = 0;                    ///< at 0, c is not read
  std::vector<Event> wait_for = {};   ///< events to wait for before it starts
  std::optional<Stream> stream = {};  ///< any stream of the plan's engine; none: c's
};

/// A kernel for operands of certain types, shapes and transposes, and why it was chosen. run()
/// accepts all such operands of the engine, at any offset, and looks nothing up.
///
///     Plan plan = plan_multiply(c, a, b);
///     for (...) plan.run(c, a, b);
///
/// Copies share the plan. Safe to use from several threads. A plan keeps its engine's context
/// alive; a profile that changes later does not change it.
class TESSERA_API Plan {
 public:
  const Problem& problem() const;
  const std::string& variant() const;
  const Parameters& parameters() const;
  /// Why this kernel: "named by the caller", "default for a gpu", ...
  const std::string& reason() const;
  /// Scratch memory of one run on the device. The stream keeps it for the next ones.
  std::uint64_t scratch_bytes() const;
  /// Device time of one run, as tuned or as modelled; empty if no model knows.
  std::optional<double> expected_seconds() const;

  /// Enqueues the planned operation and returns. Throws ArgumentError for operands of other types,
  /// shapes or transposes than the plan's, and like the operation itself; in these cases nothing
  /// has been enqueued.
  template <WritableMatrix C, MatrixLike A, MatrixLike B>
  KernelRun run(C&& c, const A& a, const B& b, const RunOptions& options = {}) const {
    return run({detail::operand(c)}, {detail::operand(a)}, {detail::operand(b)}, options);
  }
  /// The same for batches.
  template <Element C, BatchLike A, BatchLike B>
  KernelRun run(const BatchView<C>& c, const A& a, const B& b,
                const RunOptions& options = {}) const {
    return run(detail::batch(c), detail::batch(a), detail::batch(b), options);
  }

 private:
  friend struct detail::Access;
  KernelRun run(const detail::Batch& c, const detail::Batch& a, const detail::Batch& b,
                const RunOptions& options) const;
  explicit Plan(std::shared_ptr<const detail::PlanState> state) : state_(std::move(state)) {}

  std::shared_ptr<const detail::PlanState> state_;
};

namespace detail {

TESSERA_API Plan plan_multiply(const Batch& c, const Batch& a, const Batch& b,
                               const MultiplyOptions& options);
TESSERA_API Plan plan_matrix_vector(const Operand& y, const Operand& a, const Operand& x,
                                    const MultiplyOptions& options);

}  // namespace detail

/// Chooses, builds and checks the kernel that multiply_into() with these operands and options runs,
/// and enqueues nothing. Of the options, alpha and beta do not matter. Throws like multiply_into().
template <WritableMatrix C, MatrixLike A, MatrixOf<ElementOf<A>> B>
requires(detail::ResultFor<ElementOf<C>, ElementOf<A>>) Plan
    plan_multiply(C&& c, const A& a, const B& b, const MultiplyOptions& options = {}) {
  return detail::plan_multiply({detail::operand(c)}, {detail::operand(a)}, {detail::operand(b)},
                               options);
}

/// The same for multiply_batched_into().
template <Element C, BatchLike A, BatchOf<typename A::element_type> B>
requires(detail::ResultFor<C, ElementOf<A>>) Plan
    plan_multiply_batched(const BatchView<C>& c, const A& a, const B& b,
                          const MultiplyOptions& options = {}) {
  return detail::plan_multiply(detail::batch(c), detail::batch(a), detail::batch(b), options);
}

/// The same for matrix_vector_into().
template <class Y, MatrixLike A, MatrixOf<ElementOf<A>> X>
requires VectorElement<typename A::element_type> && detail::OutputFor<Y, A> Plan
plan_matrix_vector(Y&& y, const A& a, const X& x, const MultiplyOptions& options = {}) {
  return detail::plan_matrix_vector(detail::operand(y), detail::operand(a), detail::operand(x),
                                    options);
}

}  // namespace tessera::inline v0
