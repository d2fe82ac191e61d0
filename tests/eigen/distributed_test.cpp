// Distributed solves with threads as ranks: intervals, equal bits for every number of ranks, and
// errors that end all ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "random_matrix.hpp"
#include "split.hpp"
#include "support/device.hpp"
#include "thread_ranks.hpp"
#include "true_root.hpp"

namespace tessera::test {
namespace {

template <class T>
Matrix<T> rows_of(const std::vector<T>& a, std::size_t n, const Split& own) {
  return Matrix<T>(engine(), own.count, n, std::span(a).subspan(own.first * n, own.count * n));
}

Split own_split(std::size_t n, const Communicator& ranks) {
  return split(n, ranks.size(), ranks.rank());
}

/// The pair that all ranks agree on, with the whole vector.
template <class T>
DistributedEigenPair solved(const std::vector<T>& a, std::size_t n, int ranks,
                            const DistributedOptions& options) {
  auto pairs = results_of_ranks(ranks, [&](Communicator& communicator) {
    return dominant_eigenpair(communicator, rows_of(a, n, own_split(n, communicator)), options);
  });
  DistributedEigenPair whole = pairs.front();
  whole.vector.clear();
  for (const DistributedEigenPair& pair : pairs) {
    EXPECT_EQ(pair.lower, whole.lower);
    EXPECT_EQ(pair.upper, whole.upper);
    EXPECT_EQ(pair.value, whole.value);
    EXPECT_EQ(pair.residual, whole.residual);
    EXPECT_EQ(pair.rounds, whole.rounds);
    EXPECT_EQ(pair.reason, whole.reason);
    whole.vector.insert(whole.vector.end(), pair.vector.begin(), pair.vector.end());
  }
  return whole;
}

void expect_same(const DistributedEigenPair& one, const DistributedEigenPair& other,
                 const std::string& what) {
  EXPECT_EQ(one.lower, other.lower) << what;
  EXPECT_EQ(one.upper, other.upper) << what;
  EXPECT_EQ(one.residual, other.residual) << what;
  EXPECT_EQ(one.rounds, other.rounds) << what;
  EXPECT_EQ(one.vector, other.vector) << what;
}

template <class T>
void check_matrix(Kind kind, std::size_t n, std::uint64_t seed, double tolerance) {
  std::mt19937_64 random(seed);
  const auto elements = random_matrix<T>(kind, n, random);
  const std::string what = "kind " + std::to_string(static_cast<int>(kind)) + ", n " +
                           std::to_string(n) + ", seed " + std::to_string(seed);
  const DistributedOptions options{.tolerance = tolerance, .max_rounds = 100};
  const auto pair = solved(elements, n, 1, options);
  for (int ranks = 2; ranks <= 5; ranks++)
    expect_same(solved(elements, n, ranks, options), pair, what);

  const std::vector<Number> wide(elements.begin(), elements.end()),
      v(pair.vector.begin(), pair.vector.end());
  const Bounds truth = reference(wide, v);
  ASSERT_LE(truth.upper - truth.lower, 1e-12L * truth.upper) << what << ": no reference";
  EXPECT_LE(pair.lower, truth.upper) << what;
  EXPECT_GE(pair.upper, truth.lower) << what;
  EXPECT_GE(pair.residual, residual(wide, v, pair.value)) << what;
  EXPECT_EQ(std::ranges::max(pair.vector), 1) << what;
  EXPECT_EQ(pair.converged, pair.upper - pair.lower <= tolerance * pair.upper) << what;
  if (pair.converged) {
    EXPECT_LE(pair.residual, 2 * tolerance) << what;
  }
  if (kind == Kind::plain || kind == Kind::small || kind == Kind::large) {
    EXPECT_TRUE(pair.converged) << what;
  }
  const auto alone =
      dominant_eigenpair(Matrix<T>(engine(), n, n, elements), {.tolerance = tolerance});
  EXPECT_LE(alone.lower, pair.upper) << what;
  EXPECT_LE(pair.lower, alone.upper) << what;
}

/// Together 200 matrices.
class DistributedIntervalTest : public testing::TestWithParam<int> {};

TEST_P(DistributedIntervalTest, HoldsTheSpectralRadiusWithTheSameBitsForAnyRanks) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()) + 100);
  std::uniform_real_distribution<double> logarithm(0, std::log(300.0));
  for (int i = 0; i < 20; i++) {
    const auto n = static_cast<std::size_t>(std::exp(logarithm(random)) + 0.5);
    const auto kind = static_cast<Kind>(i % 6);
    const double tolerance = i % 4 < 2 ? 1e-6 : 1e-10;
    if ((i + i / 6) % 2 == 0) {
      check_matrix<float>(kind, n, random(), tolerance);
    } else {
      check_matrix<double>(kind, n, random(), tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, DistributedIntervalTest, testing::Range(0, 10));

TEST(DistributedTest, APeriodicMatrixConvergesByAShift) {
  const std::size_t n = 6;
  for (const std::size_t period : {2, 3, 6}) {
    std::vector<double> a(n * n);
    for (std::size_t i = 0; i < n; i++) {
      for (std::size_t j = 0; j < n; j++)
        a[i * n + j] = j % period == (i + 1) % period ? 1.0 + static_cast<double>(i + j) / 8 : 0;
    }
    const auto pair = solved(a, n, 3, {.tolerance = 1e-12});
    const auto alone = dominant_eigenpair(Matrix<double>(engine(), n, n, a), {.tolerance = 1e-12});
    EXPECT_TRUE(pair.converged) << period << ": " << pair.lower << " to " << pair.upper;
    EXPECT_LE(alone.lower, pair.upper);
    EXPECT_LE(pair.lower, alone.upper);
  }
}

TEST(DistributedTest, AReducibleMatrixGetsAnIntervalThatHolds) {
  for (const std::vector<double>& a : {std::vector<double>{1, 0, 0, 0, 2, 0, 0, 0, 3},
                                       {1, 1, 1, 0, 3, 1, 0, 0, 2},
                                       {0, 1, 1, 0, 0, 1, 0, 0, 0},
                                       {0, 0, 0, 0, 3, 0, 0, 0, 0}}) {
    const auto pair = solved(a, 3, 4, {.tolerance = 1e-9});
    const double value = std::max({a[0], a[4], a[8]});
    EXPECT_LE(pair.lower, value);
    EXPECT_GE(pair.upper, value);
    if (pair.converged) continue;
    EXPECT_EQ(pair.reason, EigenReason::stalled);
    EXPECT_LT(pair.rounds, 1000);
  }
}

TEST(DistributedTest, TheFirstBoundsAreTheRowSums) {
  const std::vector<float> a = {1, 2, 3, 4};
  const auto pair = solved(a, 2, 5, {.max_rounds = 0});
  EXPECT_EQ(pair.rounds, 0);
  EXPECT_EQ(pair.reason, EigenReason::max_rounds);
  EXPECT_NEAR(pair.lower, 3, 1e-12);
  EXPECT_NEAR(pair.upper, 7, 1e-12);
  EXPECT_EQ(pair.vector, (std::vector<double>{1, 1}));
  const auto one = solved(std::vector<double>{5}, 1, 4, {});
  EXPECT_TRUE(one.converged);
  EXPECT_NEAR(one.value, 5, 1e-12);
}

TEST(DistributedTest, ElementsAtTheEndsOfTheRange) {
  for (const double factor : {1e-300, 1e300}) {
    const std::vector<double> a = {factor, 2 * factor, 3 * factor, 4 * factor};
    const auto pair = solved(a, 2, 2, {.tolerance = 1e-9});
    EXPECT_TRUE(pair.converged);
    EXPECT_NEAR(pair.value / factor, 5.372281323269014, 1e-8);
  }
}

TEST(DistributedTest, RanksMayHaveFloatsAndDoubles) {
  std::mt19937_64 random(9);
  const std::size_t n = 50;
  const auto floats = random_matrix<float>(Kind::plain, n, random);
  const std::vector<double> doubles(floats.begin(), floats.end());
  const auto pairs = results_of_ranks(2, [&](Communicator& ranks) {
    const Split own = own_split(n, ranks);
    return ranks.rank() == 0 ? dominant_eigenpair(ranks, rows_of(floats, n, own), {})
                             : dominant_eigenpair(ranks, rows_of(doubles, n, own), {});
  });
  EXPECT_TRUE(pairs[0].converged);
  EXPECT_EQ(pairs[0].lower, pairs[1].lower);
  EXPECT_EQ(pairs[0].upper, pairs[1].upper);
}

DistributedProof certified(const std::vector<double>& a, std::size_t n,
                           const std::vector<double>& v, int ranks) {
  const auto proofs = results_of_ranks(ranks, [&](Communicator& communicator) {
    const Split own = own_split(n, communicator);
    return certify(communicator, rows_of(a, n, own), std::span(v).subspan(own.first, own.count));
  });
  for (const DistributedProof& proof : proofs) {
    EXPECT_EQ(proof.lower, proofs[0].lower);
    EXPECT_EQ(proof.upper, proofs[0].upper);
    EXPECT_EQ(proof.residual, proofs[0].residual);
  }
  return proofs[0];
}

TEST(DistributedCertifyTest, ProvesTheIntervalOfAnyVector) {
  std::mt19937_64 random(4);
  const std::size_t n = 130;
  const auto a = random_matrix<double>(Kind::plain, n, random);
  const std::vector<Number> wide(a.begin(), a.end());
  auto v = solved(a, n, 2, {.tolerance = 1e-12}).vector;
  for (const double factor : {1.0, 0x1p1000, 3e-300}) {
    std::vector<double> scaled = v;
    for (double& component : scaled) component *= factor;
    const auto proof = certified(a, n, scaled, 1);
    const Bounds truth = ratio_bounds(wide, {scaled.begin(), scaled.end()});
    EXPECT_LE(proof.lower, truth.lower);
    EXPECT_GE(proof.upper, truth.upper);
    EXPECT_LE(proof.upper - proof.lower, 3e-12 * proof.upper);
    EXPECT_GE(proof.residual, residual(wide, {scaled.begin(), scaled.end()}, proof.value));
    EXPECT_LE(proof.residual, 3e-12);
    for (int ranks = 2; ranks <= 5; ranks++) {
      const auto other = certified(a, n, scaled, ranks);
      EXPECT_EQ(other.lower, proof.lower);
      EXPECT_EQ(other.upper, proof.upper);
      EXPECT_EQ(other.residual, proof.residual);
    }
  }
  v.assign(n, 1);
  const auto wider = certified(a, n, v, 3);
  const Bounds sums = ratio_bounds(wide, {v.begin(), v.end()});
  EXPECT_NEAR(wider.lower, static_cast<double>(sums.lower), 1e-10);
  EXPECT_NEAR(wider.upper, static_cast<double>(sums.upper), 1e-10);
}

}  // namespace
}  // namespace tessera::test
