// distributed: the dominant eigenpair of a matrix whose rows are spread over ranks, each with a
// device, and a proven interval that all ranks get. Ranks are processes or threads; see mpi.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <tessera/eigen.hpp>
#include <tessera/error.hpp>

namespace tessera::inline v0 {

/// Exchanges numbers between ranks, which are numbered from 0. Every rank makes the same calls in
/// the same order. Each call waits for all ranks.
class TESSERA_API Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator();

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Replaces each number by the largest of all ranks' numbers at its place. None is NaN.
  virtual void maximum(std::span<double> numbers) = 0;
  /// Writes the parts of all ranks into `all`, in the order of the ranks. `lengths` has the length
  /// of each part, 0 included.
  virtual void gather(std::span<const double> part, std::span<const std::size_t> lengths,
                      std::span<double> all) = 0;
};

/// A rank has failed. All ranks throw the same error, the failed one too. `code()` is the code of
/// the failed rank's error, or ErrorCode::rank_failed if its exception was none of the library's.
/// `what()` has the rank's number and its message. If several ranks fail at once, it is the lowest.
class TESSERA_API RemoteError : public Error {
 public:
  RemoteError(int rank, ErrorCode code, const std::string& message);

  int rank() const noexcept { return rank_; }

 private:
  int rank_;
};

/// Options of a distributed solve; `tolerance` and `max_rounds` are the same on all ranks.
struct DistributedOptions {
  double tolerance = 1e-6;  ///< of the interval's width, relative; > 0
  std::uint32_t max_rounds = 10000;
  /// Called between rounds, by each rank that has one. An exception ends the solve on all ranks.
  std::function<void(const EigenProgress&)> progress = {};
  CancelToken cancel = {};  ///< if one rank's is cancelled, the solve ends on all ranks
};

/// The interval that a positive vector v proves to contain the spectral radius: from the least to
/// the largest ratio (A v)_i / v_i, widened by rounding (Collatz, Math. Z. 48, 1942; Wielandt,
/// Math. Z. 52, 1950). All ranks get the same bits.
struct DistributedProof {
  double value = 0;             ///< midpoint of lower and upper; lower where upper is infinite
  double lower = 0, upper = 0;  ///< proven bounds; `upper` may be infinite
  double residual = 0;          ///< at least ||A v - value v|| / (value ||v||), maximum norms
};

/// The result of a distributed solve. Everything but `vector` has the same bits on all ranks.
struct DistributedEigenPair : DistributedProof {
  std::uint64_t rounds = 0;  ///< products with the matrix, without the first one
  bool converged = false;    ///< the interval is within the tolerance
  EigenReason reason = EigenReason::converged;
  /// This rank's part of the eigenvector, a component for each of its rows. Positive; the largest
  /// component over all ranks is 1.
  std::vector<double> vector = {};
};

namespace detail {

TESSERA_API DistributedEigenPair dominant_eigenpair(Communicator& ranks, const Operand& rows,
                                                    const DistributedOptions& options);
TESSERA_API DistributedProof certify(Communicator& ranks, const Operand& rows,
                                     std::span<const double> part);

}  // namespace detail

/// The eigenvalue of largest modulus of a non-negative n x n matrix, and its eigenvector, by
/// rounds of the power method. `rows` are this rank's: r x n, 0 rows included. The rows of rank 0
/// come first. Collective: every rank calls it, and waits.
///
/// A round reads each row once and exchanges n numbers. Every round's interval is proven, and the
/// result is their intersection. If bounds close slowly or not at all, as for a periodic matrix,
/// rounds with A + s I are tried. For a reducible matrix the interval may stay wide: blocks are not
/// solved one by one, as they are on one device. That is a result, not an error: `converged` is
/// false, `reason` is `max_rounds`, or `stalled` if the bounds have all but stopped closing.
///
/// Equal devices with equal profiles give the same bits for every number of ranks and every split.
/// Different devices, and float rows beside double ones, are supported: each rank widens the bounds
/// of its rows by its own rounding. All devices need double.
///
/// All ranks throw RemoteError, with the number of the rank, if one finds
///  * a negative, infinite or NaN element, or a row sum that overflows,
///  * more rows than columns, a transposed view, or a tolerance that is not positive and finite,
///  * a device that fails, lacks memory or double, or computes wrong,
///  * an exception of its `progress`, or a cancelled token.
///
/// All ranks throw MatrixError if there are not n rows in all or their lengths differ, and
/// ArgumentError if their options differ.
template <detail::RealMatrix A>
DistributedEigenPair dominant_eigenpair(Communicator& ranks, const A& rows,
                                        const DistributedOptions& options = {}) {
  return detail::dominant_eigenpair(ranks, detail::operand(rows), options);
}

/// The interval that a positive vector proves, for a matrix as above. `part` is this rank's part of
/// the vector, from anywhere, with a component for each row. Collective. Reads each row twice.
///
/// Throws as above. All ranks throw RemoteError if a component is not positive and finite, and
/// ArgumentError if one is less than 2^-1000 of the largest.
template <detail::RealMatrix A>
DistributedProof certify(Communicator& ranks, const A& rows, std::span<const double> part) {
  return detail::certify(ranks, detail::operand(rows), part);
}

}  // namespace tessera::inline v0
