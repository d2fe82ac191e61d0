// Random products for benchmarks.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <type_traits>

#include "turns.hpp"

namespace tessera::bench {

/// The beta of random cases of elements of a type.
template <class T>
constexpr double kRandomBeta = std::is_integral_v<T> ? 1 : 0.5;

/// N, T, or C for the conjugate transpose.
char letter_of(Op op);

/// "1024 x 17 x 333 TN padding 5 beta 0.5"
std::string text_of(const Case& sizes);

/// The seed of the cases: $TESSERA_BENCH_SEED, or a new one for each process.
unsigned seed_of_cases();

/// Dimensions log-uniform from 17 on, on a CPU up to 3000 with 10^7 multiply-adds or more, else up
/// to 9000; each operand transposed or not; a third of the cases with odd distances between rows,
/// a third with `beta`, the others with 0.
class RandomCases {
 public:
  RandomCases(bool on_cpu, Accuracy accuracy, double beta);
  Case next();

 private:
  std::size_t size();
  bool one_of(unsigned number) { return random_() % number == 0; }

  std::mt19937 random_;
  std::uniform_real_distribution<double> exponent_;
  double least_;
  Accuracy accuracy_;
  double beta_;
};

}  // namespace tessera::bench
