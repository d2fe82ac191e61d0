// eigen: the dominant eigenvalue of a non-negative matrix with a proven interval, its eigenvector,
// and the operations of the pipeline that finds them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tessera/cancellation.hpp>
#include <tessera/kernel.hpp>
#include <tessera/matrix.hpp>

namespace tessera::inline v0 {

/// The element types that eigenpairs are computed for.
template <class T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;

/// The way to compute a round of similarity transformation, A_(k+1) = diag(s_k)^-1 A_k diag(s_k)
/// with the row sums s_k of A_k. All methods go through the same s_k.
enum class EigenMethod {
  implicit,        ///< p_(k+1) = A p_k and s_k = A p_k / p_k; reads A once per round
  fused,           ///< transform and next row sums in one pass: reads and writes A once
  explicit_steps,  ///< a kernel for each step: reads A twice and writes it
};

enum class StopTest {
  bounds,      ///< (max s - min s) <= tolerance * max s, judged on the proven interval
  neighbours,  ///< |s_i - s_(i + 1 mod n)| < neighbour_tolerance for all i, absolute
};

enum class Acceleration {
  automatic,  ///< krylov from where that is expected to take less time
  none,
  krylov,  ///< restarts every 16 rounds from their Krylov space where that narrows the bounds; for
           ///< matrices whose second eigenvalue is close to the first
};

/// Why the rounds ended.
enum class EigenReason {
  converged,
  max_rounds,
  stalled,    ///< the bounds cannot get narrower in this precision
  underflow,  ///< a component of the vector came too close to zero to continue
};

/// The irreducible blocks of a matrix, if the solve had to find them.
struct EigenStructure {
  enum class Kind {
    unexamined,  ///< rounds alone were enough
    primitive,   ///< every positive vector converges to the eigenvector
    periodic,    ///< irreducible, with several eigenvalues of the largest modulus
    reducible,   ///< block-triangular in a suitable order, or the 1 x 1 zero
  };

  Kind kind = Kind::unexamined;
  std::size_t period = 0;         ///< common divisor of all cycles' lengths; 0 if reducible
  std::size_t classes = 0;        ///< irreducible diagonal blocks
  std::size_t basic_classes = 0;  ///< those whose intervals hold the spectral radius
};

/// "converged", "max_rounds", "stalled" or "underflow".
TESSERA_API std::string_view to_string(EigenReason reason);
/// "implicit", "fused" or "explicit".
TESSERA_API std::string_view to_string(EigenMethod method);
/// "automatic", "none" or "krylov".
TESSERA_API std::string_view to_string(Acceleration acceleration);
/// "bounds" or "neighbours".
TESSERA_API std::string_view to_string(StopTest stop);
/// "unexamined", "primitive", "periodic" or "reducible".
TESSERA_API std::string_view to_string(EigenStructure::Kind kind);

/// The progress of a solve.
struct EigenProgress {
  std::string_view phase;        ///< in words
  std::uint64_t iterations = 0;  ///< so far, over all phases
  double lower = 0, upper = 0;   ///< bounds of the last one; as computed, not proven
};

struct EigenOptions {
  EigenMethod method = EigenMethod::implicit;
  StopTest stop = StopTest::bounds;
  double tolerance = 1e-6;            ///< for `bounds`, relative; > 0
  double neighbour_tolerance = 1e-3;  ///< for `neighbours`, in units of the row sums; > 0
  /// The limit for rounds on the device. Blocks that the host solves take about ten steps.
  std::uint32_t max_rounds = 10000;
  Acceleration acceleration = Acceleration::automatic;  ///< krylov: implicit method only
  bool history = false;                                 ///< record the bounds of every round
  std::map<std::string, KernelChoice> kernels = {};     ///< by operation: {"row_sum", {"subgroup"}}
  /// The type in which implicit rounds are summed. It decides how narrow the interval can be.
  Accumulator accumulator = Accumulator::automatic;
  std::vector<Event> wait_for = {};   ///< events to wait for before the matrix is read
  std::optional<Stream> stream = {};  ///< where it is enqueued; none: on the matrix's
  /// Called between batches of rounds, by the solve's thread. It may use every stream, the solve's
  /// too, and the matrix. An exception ends the solve: dominant_eigenpair() throws the same one,
  /// and matrix, stream and engine can be used as before.
  std::function<void(const EigenProgress&)> progress = {};
  /// Ends the solve after the current batch of rounds or the current irreducible block.
  /// dominant_eigenpair() then throws CancelledError. Matrix, stream and engine can be used as
  /// before.
  CancelToken cancel = {};
};

struct EigenBounds {
  double lower, upper;
};

/// The result of a solve, except for its eigenvector. For every vector v > 0, min (Av)_i / v_i <=
/// lambda <= max (Av)_i / v_i (Collatz, Math. Z. 48, 1942; Wielandt, Math. Z. 52, 1950). `lower`
/// and `upper` are these two bounds for one positive vector and the caller's matrix, widened by the
/// rounding of the pass that computed them. For a reducible matrix they are the largest bounds of
/// its blocks. `upper` is infinite if it is beyond the range of double.
struct EigenResult {
  double value = 0;             ///< midpoint of lower and upper; lower where upper is infinite
  double lower = 0, upper = 0;  ///< proven bounds of the spectral radius
  /// At least ||A v - value v|| / (value ||v||) in maximum norms, for the eigenvector v as it is
  /// returned. Components below the normal range of its type do not count.
  double residual = 0;
  std::uint64_t rounds = 0;  ///< transforms applied
  bool converged = false;    ///< the stop test was met, or the interval is within `tolerance`
  EigenReason reason = EigenReason::converged;
  EigenStructure structure = {};
  std::vector<EigenBounds> history = {};  ///< of every round, on request; as computed, not proven
  /// The kernel of each operation that ran. Their events are empty: an operation's commands are
  /// spread over the solve, and no two of them delimit its time.
  std::vector<KernelRun> ran = {};
  Event started = {};   ///< the solve's first command that has an event
  Event finished = {};  ///< the solve's last command

  /// Device time in seconds from the first command to the last, host waits included. Empty if the
  /// engine was created without `profiling`.
  std::optional<double> seconds() const { return seconds_between(started, finished); }
};

/// The result of a solve.
template <Real T>
struct EigenPair : EigenResult {
  Matrix<T> vector;  ///< n x 1, not negative, maximum 1
};

namespace detail {

/// A matrix with real elements.
template <class M>
concept RealMatrix = MatrixLike<M> && Real<typename M::element_type>;

/// An EigenPair without its C++ element type.
struct EigenPairOperand : EigenResult {
  Operand vector;
};

TESSERA_API EigenPairOperand dominant_eigenpair(const Operand& a, const EigenOptions& options);

template <Real T>
EigenPair<T> typed(EigenPairOperand pair) {
  return {std::move(pair), Access::make<Matrix<T>>(std::move(pair.vector))};
}

}  // namespace detail

/// The eigenvalue of largest modulus of a non-negative square matrix, and its eigenvector. Waits.
///
/// The solve enqueues rounds in batches, and holds no lock while it waits for a batch. Other
/// threads may use its stream: their operations run between batches. Others may read the matrix. If
/// the matrix is written before the call returns, the result is unspecified.
///
/// Rounds converge for a positive matrix, and for a non-negative one that is irreducible and
/// primitive; they are few if the second eigenvalue is not close. If they do not converge, the
/// solve reads the matrix and solves its irreducible blocks one by one. It solves a block on the
/// host if elimination takes no longer than for 1024 dense rows, else by rounds of the scaled
/// block. Periodic and reducible matrices have an answer too; a nilpotent matrix has the answer 0.
/// An eigenvector of a reducible matrix has zeros; if several blocks share the spectral radius, it
/// is one of several. Failing to converge, within max_rounds or the precision, is a result, not an
/// error, and the interval still holds. Repeated solves give the same bits unless a kernel was
/// chosen that is not deterministic. The matrix is not modified.
///
/// Throws MatrixError for a matrix that is not square or is 0 x 0, for a negative, infinite or NaN
/// element, and for a row sum that overflows. Throws ArgumentError for a tolerance that is not
/// positive and finite, and for an unknown operation, variant or parameter. Throws UnsupportedError
/// for kernels that cannot run, for kernels that fail the check before their first use
/// ($TESSERA_SELF_CHECK), and for krylov with a method other than implicit. Throws CancelledError
/// if `cancel` was cancelled before the result was known.
template <detail::RealMatrix A>
EigenPair<typename A::element_type> dominant_eigenpair(const A& a,
                                                       const EigenOptions& options = {}) {
  return detail::typed<typename A::element_type>(
      detail::dominant_eigenpair(detail::operand(a), options));
}

namespace detail {

TESSERA_API KernelRun row_sum(const Operand& s, const Operand& a, const CallOptions& options);
TESSERA_API KernelRun vector_max(const Operand& maximum, const Operand& x,
                                 const CallOptions& options);
TESSERA_API KernelRun row_bounds(const Operand& bounds, const Operand& x,
                                 const CallOptions& options);
TESSERA_API KernelRun eigenvector(const Operand& v, const Operand& s, const Operand& maximum,
                                  const CallOptions& options);
TESSERA_API KernelRun similarity_transform(const Operand& b, const Operand& a, const Operand& s,
                                           const CallOptions& options);
TESSERA_API KernelRun stop(const Operand& converged, const Operand& s, double tolerance,
                           const CallOptions& options);
TESSERA_API KernelRun fused_round(const Operand& b, const Operand& t, const Operand& a,
                                  const Operand& s, const CallOptions& options);
TESSERA_API KernelRun implicit_round(const Operand& q, const Operand& s, const Operand& a,
                                     const Operand& p, const CallOptions& options);

}  // namespace detail

// The operations of the pipeline. Vectors are n x 1, scalars 1 x 1, all on one device. Calls
// enqueue and return. Outputs share no element with inputs unless stated. All throw MatrixError for
// shapes that do not match, for operands without elements and for transposed views.

/// s_i = sum over j of a_ij.
template <class S, detail::RealMatrix A>
requires detail::OutputFor<S, A> KernelRun row_sum(S&& s, const A& a,
                                                   const CallOptions& options = {}) {
  return detail::row_sum(detail::operand(s), detail::operand(a), options);
}
/// maximum = max x_i.
template <class M, detail::RealMatrix X>
requires detail::OutputFor<M, X> KernelRun vector_max(M&& maximum, const X& x,
                                                      const CallOptions& options = {}) {
  return detail::vector_max(detail::operand(maximum), detail::operand(x), options);
}
/// bounds = (min x_i, max x_i), 2 x 1.
template <class B, detail::RealMatrix X>
requires detail::OutputFor<B, X> KernelRun row_bounds(B&& bounds, const X& x,
                                                      const CallOptions& options = {}) {
  return detail::row_bounds(detail::operand(bounds), detail::operand(x), options);
}
/// v_i = v_i * s_i / maximum.
template <class V, detail::RealMatrix S, MatrixOf<typename S::element_type> M>
requires detail::OutputFor<V, S> KernelRun eigenvector(V&& v, const S& s, const M& maximum,
                                                       const CallOptions& options = {}) {
  return detail::eigenvector(detail::operand(v), detail::operand(s), detail::operand(maximum),
                             options);
}
/// b_ij = a_ij * s_j / s_i; b may be a.
template <class B, detail::RealMatrix A, MatrixOf<typename A::element_type> S>
requires detail::OutputFor<B, A> KernelRun similarity_transform(B&& b, const A& a, const S& s,
                                                                const CallOptions& options = {}) {
  return detail::similarity_transform(detail::operand(b), detail::operand(a), detail::operand(s),
                                      options);
}
/// converged, of int32, = 1 if |s_i - s_(i + 1 mod n)| < tolerance for all i, else 0.
template <class C, detail::RealMatrix S>
requires detail::OutputFor<C, Matrix<std::int32_t>> KernelRun
stop(C&& converged, const S& s, double tolerance, const CallOptions& options = {}) {
  return detail::stop(detail::operand(converged), detail::operand(s), tolerance, options);
}
/// b_ij = a_ij * s_j / s_i and t_i = sum over j of b_ij in one pass; b may be a.
template <class B, class V, detail::RealMatrix A, MatrixOf<typename A::element_type> S>
requires detail::OutputFor<B, A> && detail::OutputFor<V, A> KernelRun
fused_round(B&& b, V&& t, const A& a, const S& s, const CallOptions& options = {}) {
  return detail::fused_round(detail::operand(b), detail::operand(t), detail::operand(a),
                             detail::operand(s), options);
}
/// q = A p and s_i = q_i / p_i in one pass, summed in double. Vectors are double and contiguous
/// from the start of their memory.
template <class Q, class S, detail::RealMatrix A, MatrixOf<double> P>
requires detail::OutputFor<Q, P> && detail::OutputFor<S, P> KernelRun
implicit_round(Q&& q, S&& s, const A& a, const P& p, const CallOptions& options = {}) {
  return detail::implicit_round(detail::operand(q), detail::operand(s), detail::operand(a),
                                detail::operand(p), options);
}

}  // namespace tessera::inline v0
