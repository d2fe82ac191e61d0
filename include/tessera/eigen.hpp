// eigen: the dominant eigenvalue of a non-negative matrix with a proven interval, its eigenvector,
// and the operations that they are found by.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/kernel.hpp>
#include <tessera/matrix.hpp>

namespace tessera::inline v0 {

/// Matrices that have an eigenpair here.
template <class T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;

/// How the rounds of a similarity transformation, A_(k+1) = diag(s_k)^-1 A_k diag(s_k) with the row
/// sums s_k of A_k, are carried out. All take the same steps.
enum class EigenMethod {
  implicit,        ///< p_(k+1) = A p_k and s_k = A p_k / p_k; A is read once a round
  fused,           ///< the transform and the next row sums in one pass: A is read and written
  explicit_steps,  ///< each step a kernel: A is read twice and written
};

enum class StopTest {
  bounds,      ///< (max s - min s) <= tolerance * max s, and so in the proven interval
  neighbours,  ///< |s_i - s_(i + 1 mod n)| < neighbour_tolerance for all i: absolute
};

enum class Acceleration {
  none,
  krylov,  ///< every 16 rounds a restart from their Krylov space, where that leads further; for
           ///< matrices whose second eigenvalue is close to the first
};

/// Why the rounds ended.
enum class EigenReason {
  converged,
  max_rounds,
  stalled,    ///< the bounds no longer came closer: a periodic matrix, or the precision's end
  underflow,  ///< a component of the vector came too close to zero
};

/// "converged", "max_rounds", "stalled" or "underflow".
TESSERA_API std::string_view name(EigenReason reason);
/// "implicit", "fused" or "explicit".
TESSERA_API std::string_view name(EigenMethod method);
/// "bounds" or "neighbours".
TESSERA_API std::string_view name(StopTest stop);

struct EigenOptions {
  EigenMethod method = EigenMethod::implicit;
  StopTest stop = StopTest::bounds;
  double tolerance = 1e-6;            ///< of `bounds`, relative; > 0
  double neighbour_tolerance = 1e-3;  ///< of `neighbours`, in units of the row sums; > 0
  std::uint32_t max_rounds = 10000;
  Acceleration acceleration = Acceleration::none;    ///< with the implicit method
  bool history = false;                              ///< keep the bounds of every round
  std::map<std::string, KernelChoice> kernels = {};  ///< by operation: {"row_sum", {"subgroup"}}
  std::vector<Event> wait_for = {};  ///< what must have ended before the matrix is read
};

struct EigenBounds {
  double lower, upper;
};

/// The result of a solve. For every vector v > 0, min (Av)_i / v_i <= lambda <= max (Av)_i / v_i
/// (Collatz, Math. Z. 48, 1942; Wielandt, Math. Z. 52, 1950): `lower` and `upper` are these, from
/// the last pass over the caller's matrix, widened by the pass's rounding.
template <Real T>
struct EigenPair {
  double value = 0;             ///< midpoint of lower and upper
  double lower = 0, upper = 0;  ///< the spectral radius is between them: proven
  double residual = 0;          ///< ||A v - value v|| / (value ||v||), maximum norms
  Matrix<T> vector;             ///< n x 1, its maximum 1; positive but for the type's range
  std::uint64_t rounds = 0;     ///< transforms applied
  bool converged = false;       ///< the stop test was met
  EigenReason reason = EigenReason::converged;
  std::vector<EigenBounds> history;  ///< of every round, where asked for; as computed, not proven
  std::vector<KernelRun> ran;        ///< what ran, an entry for each operation
};

/// The eigenvalue of largest modulus of a non-negative square matrix, and its eigenvector. Waits.
///
/// A positive matrix converges; a non-negative one too if it is irreducible and primitive.
/// Otherwise the bounds may stall: then the result says so, and its interval still holds. Not to
/// converge is a result, not an error. Two solves give the same bits unless a kernel was chosen
/// that says otherwise. The matrix stays as it is.
///
/// Throws MatrixError for a matrix that is not square, that is 0 x 0, or has a negative, infinite
/// or NaN element or a row of zeros, and for row sums that overflow; ArgumentError for a tolerance
/// that is not positive and finite and for an operation, variant or parameter that there is not;
/// UnsupportedError for kernels that cannot do it and for krylov with another method than implicit.
template <Real T>
TESSERA_API EigenPair<T> dominant_eigenpair_view(const ConstMatrixView<T>& a,
                                                 const EigenOptions& options);

template <MatrixLike A>
EigenPair<typename A::element_type> dominant_eigenpair(const A& a,
                                                       const EigenOptions& options = {}) {
  return dominant_eigenpair_view<typename A::element_type>(a, options);
}

// The operations of the pipeline. Vectors are n x 1 views, scalars 1 x 1, all on one device; calls
// enqueue and return. Outputs have no element in common with inputs unless it is said. Throws
// MatrixError for shapes that do not fit and for operands without elements.

/// s_i = sum over j of a_ij.
template <Real T>
TESSERA_API KernelRun row_sum(const MatrixView<T>& s, const ConstMatrixView<T>& a,
                              const KernelChoice& kernel = {});
/// most = max x_i.
template <Real T>
TESSERA_API KernelRun vector_max(const MatrixView<T>& maximum, const ConstMatrixView<T>& x,
                                 const KernelChoice& kernel = {});
/// bounds, 2 x 1: min x_i and max x_i.
template <Real T>
TESSERA_API KernelRun row_bounds(const MatrixView<T>& bounds, const ConstMatrixView<T>& x,
                                 const KernelChoice& kernel = {});
/// v_i = v_i * s_i / most.
template <Real T>
TESSERA_API KernelRun eigenvector(const MatrixView<T>& v, const ConstMatrixView<T>& s,
                                  const ConstMatrixView<T>& maximum,
                                  const KernelChoice& kernel = {});
/// b_ij = a_ij * s_j / s_i; b may be a.
template <Real T>
TESSERA_API KernelRun similarity_transform(const MatrixView<T>& b, const ConstMatrixView<T>& a,
                                           const ConstMatrixView<T>& s,
                                           const KernelChoice& kernel = {});
/// converged = 1 if |s_i - s_(i + 1 mod n)| < tolerance for all i, else 0.
template <Real T>
TESSERA_API KernelRun stop(const MatrixView<std::int32_t>& converged, const ConstMatrixView<T>& s,
                           T tolerance, const KernelChoice& kernel = {});
/// b_ij = a_ij * s_j / s_i and t_i = sum over j of b_ij in one pass; b may be a.
template <Real T>
TESSERA_API KernelRun fused_round(const MatrixView<T>& b, const MatrixView<T>& t,
                                  const ConstMatrixView<T>& a, const ConstMatrixView<T>& s,
                                  const KernelChoice& kernel = {});
/// q = A p and s_i = q_i / p_i in one pass, summed in double; vectors are dense.
template <Real T>
TESSERA_API KernelRun implicit_round(const MatrixView<double>& q, const MatrixView<double>& s,
                                     const ConstMatrixView<T>& a, const ConstMatrixView<double>& p,
                                     const KernelChoice& kernel = {});

}  // namespace tessera::inline v0
