// Distributed eigenpairs by MPI: intervals of random matrices, and failures of a rank.
//   mpirun -np P eigen_client families COUNT [check]   a line per matrix, the same for every P;
//   `check` compares each
//                                                      with a reference and with a solve on one
//                                                      device
//   mpirun -np P eigen_client nan|throw|kill RANK
// Exit status: 0 if all is right, 1 if an interval is wrong, 3 after a RemoteError, which each rank
// prints.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <stdexcept>
#include <string>
#include <tessera/mpi.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "random_matrix.hpp"
#include "split.hpp"
#include "true_root.hpp"

namespace {

using namespace tessera::test;

int rank = 0, ranks = 1;

/// Gathers this rank's part of a vector.
std::vector<double> whole(const std::vector<double>& part, std::size_t n) {
  std::vector<int> counts, begins;
  for (int r = 0; r < ranks; r++) {
    const Split of = split(n, ranks, r);
    counts.push_back(static_cast<int>(of.count));
    begins.push_back(static_cast<int>(of.first));
  }
  std::vector<double> all(n);
  MPI_Allgatherv(part.data(), static_cast<int>(part.size()), MPI_DOUBLE, all.data(), counts.data(),
                 begins.data(), MPI_DOUBLE, MPI_COMM_WORLD);
  return all;
}

std::uint64_t hash_of(const std::vector<double>& numbers) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const double number : numbers) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3;
  }
  return hash;
}

/// Returns whether all ranks have these numbers.
bool is_common(double lower, double upper, double residual) {
  const double own[] = {lower, -lower, upper, -upper, residual, -residual};
  double largest[6];
  MPI_Allreduce(own, largest, 6, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return std::equal(own, own + 6, largest);
}

bool holds(const tessera::DistributedProof& proof, const Bounds& truth) {
  return proof.lower <= truth.upper && proof.upper >= truth.lower;
}

/// Compares a pair and a proof with a reference, and with a solve on this rank's device.
template <class T>
bool is_right(const tessera::Matrix<T>& a, const std::vector<T>& elements,
              const std::vector<double>& vector, const tessera::DistributedEigenPair& pair,
              const tessera::DistributedProof& proof) {
  const std::vector<Number> wide(elements.begin(), elements.end());
  const Bounds truth = reference(wide, {vector.begin(), vector.end()});
  const auto alone = dominant_eigenpair(a, {.tolerance = 1e-8});
  return truth.upper - truth.lower <= 1e-12L * truth.upper && holds(pair, truth) &&
         holds(proof, truth) && alone.lower <= pair.upper && pair.lower <= alone.upper &&
         pair.residual >= residual(wide, {vector.begin(), vector.end()}, pair.value);
}

template <class T>
bool solve(const tessera::Engine& engine, Kind kind, std::size_t n, std::mt19937_64& random,
           bool check) {
  const auto a = random_matrix<T>(kind, n, random);
  const Split own = split(n, ranks, rank);
  const tessera::Matrix<T> rows(engine, own.count, n,
                                std::span(a).subspan(own.first * n, own.count * n));
  const auto pair = tessera::mpi::dominant_eigenpair(MPI_COMM_WORLD, rows,
                                                     {.tolerance = 1e-10, .max_rounds = 100});
  const auto proof = tessera::mpi::certify(MPI_COMM_WORLD, rows, pair.vector);
  const auto vector = whole(pair.vector, n);
  if (rank == 0) {
    std::printf(
        "kind %d, n %zu, %s: %a to %a, residual %a, %d rounds, %s, vector %016llx; "
        "certified %a to %a\n",
        static_cast<int>(kind), n, sizeof(T) == 4 ? "float" : "double", pair.lower, pair.upper,
        pair.residual, static_cast<int>(pair.rounds), std::string(to_string(pair.reason)).c_str(),
        static_cast<unsigned long long>(hash_of(vector)), proof.lower, proof.upper);
  }
  bool right = is_common(pair.lower, pair.upper, pair.residual) &&
               is_common(proof.lower, proof.upper, proof.residual);
  if (check) right = right && is_right(tessera::Matrix<T>(engine, n, n, a), a, vector, pair, proof);
  return right;
}

int solve_families(const tessera::Engine& engine, int count, bool check) {
  std::mt19937_64 random(20);
  std::uniform_real_distribution<double> logarithm(0, std::log(250.0));
  int wrong = 0;
  for (int i = 0; i < count; i++) {
    const auto n = static_cast<std::size_t>(std::exp(logarithm(random)) + 0.5);
    const auto kind = static_cast<Kind>(i % 6);
    const bool right = (i + i / 6) % 2 == 0 ? solve<float>(engine, kind, n, random, check)
                                            : solve<double>(engine, kind, n, random, check);
    if (right) continue;
    std::printf("WRONG on rank %d: matrix %d\n", rank, i);
    wrong++;
  }
  return wrong == 0 ? 0 : 1;
}

/// Prints when this rank fails, in seconds since 1970.
void print_time() {
  std::printf("fails at %lld\n", static_cast<long long>(std::time(nullptr)));
  std::fflush(stdout);
}

void fail(const tessera::Engine& engine, const std::string& kind, int failing) {
  constexpr std::size_t n = 200;
  std::mt19937_64 random(3);
  auto a = random_matrix<double>(Kind::gap, n, random);
  const Split own = split(n, ranks, rank);
  auto mine =
      std::vector<double>(a.begin() + static_cast<std::ptrdiff_t>(own.first * n),
                          a.begin() + static_cast<std::ptrdiff_t>((own.first + own.count) * n));
  tessera::DistributedOptions options{.tolerance = 1e-13};
  if (rank == failing) {
    if (kind == "nan" && !mine.empty()) mine[n + 1] = std::nan("");
    if (kind == "nan") print_time();
    options.progress = [&](const tessera::EigenProgress& progress) {
      if (progress.iterations < 3) return;
      print_time();
      if (kind == "throw") throw std::runtime_error("made by hand");
      if (kind == "kill") std::raise(SIGKILL);
    };
  }
  const tessera::Matrix<double> rows(engine, own.count, n, mine);
  tessera::mpi::dominant_eigenpair(MPI_COMM_WORLD, rows, options);
}

int run(const std::vector<std::string>& arguments) try {
  if (arguments.size() < 2) throw std::invalid_argument("eigen_client: expected two arguments");
  const tessera::Engine engine;
  if (arguments[0] == "families")
    return solve_families(engine, std::stoi(arguments[1]), arguments.size() > 2);
  fail(engine, arguments[0], std::stoi(arguments[1]));
  return 0;
} catch (const tessera::mpi::RemoteError& error) {
  std::printf("rank %d of %d ends: %s\n", rank, ranks, error.what());
  return 3;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int status = run({argv + 1, argv + argc});
  std::fflush(stdout);
  MPI_Finalize();
  return status;
}
