// mpi: dominant eigenpairs of matrices whose rows are spread over the processes of an MPI
// communicator. Needs MPI: find_package(tessera COMPONENTS mpi) and the target tessera::mpi.
#pragma once

#include <climits>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include <mpi.h>
#include <tessera/distributed.hpp>

namespace tessera::inline v0::mpi {

using tessera::DistributedEigenPair;
using tessera::DistributedOptions;
using tessera::DistributedProof;
using tessera::RemoteError;

/// A duplicate of an MPI communicator, whose messages no others meet. MPI errors end the job: a
/// rank that went on alone would leave the others waiting. One thread per rank uses it, where MPI
/// allows that thread calls.
class Communicator final : public tessera::Communicator {
 public:
  /// Collective, as is the destructor.
  explicit Communicator(MPI_Comm of) {
    MPI_Comm_dup(of, &handle_);
    MPI_Comm_set_errhandler(handle_, MPI_ERRORS_ARE_FATAL);
  }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() override { MPI_Comm_free(&handle_); }

  int rank() const override {
    int rank = 0;
    MPI_Comm_rank(handle_, &rank);
    return rank;
  }
  int size() const override {
    int size = 0;
    MPI_Comm_size(handle_, &size);
    return size;
  }
  void maximum(std::span<double> numbers) override {
    MPI_Allreduce(MPI_IN_PLACE, numbers.data(), count(numbers.size()), MPI_DOUBLE, MPI_MAX,
                  handle_);
  }
  void gather(std::span<const double> part, std::span<const std::size_t> lengths,
              std::span<double> all) override {
    std::vector<int> counts, begins;
    int begin = 0;
    count(all.size());  // so that no sum of lengths overflows
    for (const std::size_t length : lengths) {
      begins.push_back(begin);
      counts.push_back(count(length));
      begin += counts.back();
    }
    MPI_Allgatherv(part.data(), count(part.size()), MPI_DOUBLE, all.data(), counts.data(),
                   begins.data(), MPI_DOUBLE, handle_);
  }

 private:
  /// The number of elements of a message, the same on all ranks.
  static int count(std::size_t size) {
    if (size > INT_MAX) throw std::length_error("tessera::mpi: a vector exceeds 2^31 - 1 elements");
    return static_cast<int>(size);
  }

  MPI_Comm handle_ = MPI_COMM_NULL;
};

/// tessera::dominant_eigenpair() over the ranks of `comm`, between MPI_Init() and MPI_Finalize().
/// `rows` are this rank's rows of an n x n matrix, on its device; rank 0 has the first ones.
/// Collective. Throws RemoteError on all ranks if one fails; see distributed.hpp.
///
///     tessera::Matrix<float> rows(engine, count, n, elements);
///     auto pair = tessera::mpi::dominant_eigenpair(MPI_COMM_WORLD, rows, {.tolerance = 1e-10});
template <detail::RealMatrix A>
DistributedEigenPair dominant_eigenpair(MPI_Comm comm, const A& rows,
                                        const DistributedOptions& options = {}) {
  Communicator ranks(comm);
  return tessera::dominant_eigenpair(ranks, rows, options);
}

/// tessera::certify() over the ranks of `comm`: the interval that a positive vector proves. `part`
/// has a component for each of this rank's rows. Collective. Throws like dominant_eigenpair().
template <detail::RealMatrix A>
DistributedProof certify(MPI_Comm comm, const A& rows, std::span<const double> part) {
  Communicator ranks(comm);
  return tessera::certify(ranks, rows, part);
}

}  // namespace tessera::inline v0::mpi
