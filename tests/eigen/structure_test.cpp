// Matrices that rounds alone do not answer: periodic, reducible, with rows of zeros, or with
// eigenvalues or elements that lie far apart or close together.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"
#include "true_root.hpp"

namespace tessera::test {
namespace {

using Structure = EigenStructure::Kind;

constexpr std::array kEveryMethod = {EigenMethod::implicit, EigenMethod::fused,
                                     EigenMethod::explicit_steps};

struct Case {
  std::string what;
  Matrix<double> matrix;
  double lambda;
  std::vector<double> vector;  ///< empty: not known
  EigenStructure structure;
};

/// Matrices for which rounds with restarts may suffice.
std::vector<Case> cases_of_rounds() {
  const double root = std::sqrt(2.0), third = std::cbrt(8.0);
  return {{"a path of three",
           Matrix<double>(engine(), {{0, 1, 0}, {1, 0, 1}, {0, 1, 0}}),
           root,
           {1 / root, 1, 1 / root},
           {Structure::periodic, 2, 1, 1}},
          {"a cycle",
           Matrix<double>(engine(), {{0, 1, 0}, {0, 0, 1}, {8, 0, 0}}),
           third,
           {0.25, 0.5, 1},
           {Structure::periodic, 3, 1, 1}},
          {"a tiny bridge",
           Matrix<double>(engine(), {{2, 1e-20}, {1e-20, 1}}),
           2,
           {1, 1e-20},
           {Structure::primitive, 1, 1, 1}},
          {"a column of zeros", Matrix<double>(engine(), {{0, 1}, {0, 1}}), 1, {1, 1}, {}}};
}

std::vector<Case> reducible_cases() {
  return {
      {"two blocks",
       Matrix<double>(engine(), {{1, 0}, {0, 0.5}}),
       1,
       {1, 0},
       {Structure::reducible, 0, 2, 1}},
      {"a block that reaches the one with the root",
       Matrix<double>(engine(), {{2, 1, 0}, {0, 3, 1}, {0, 0, 1}}),
       3,
       {1, 1, 0},
       {Structure::reducible, 0, 3, 1}},
      {"roots that are shared",
       Matrix<double>(engine(), {{2, 1, 0}, {0, 2, 0}, {0, 0, 2}}),
       2,
       {},
       {Structure::reducible, 0, 3, 3}},
      {"an isolated node",
       Matrix<double>(engine(), {{0, 2, 0}, {2, 1, 0}, {0, 0, 0}}),
       (1 + std::sqrt(17.0)) / 2,
       {},
       {Structure::reducible, 0, 2, 1}},
      {"nilpotent",
       Matrix<double>(engine(), {{0, 5, 7}, {0, 0, 1e300}, {0, 0, 0}}),
       0,
       {1, 0, 0},
       {Structure::reducible, 0, 3, 3}},
      {"zero", Matrix<double>(engine(), {{0, 0}, {0, 0}}), 0, {}, {Structure::reducible, 0, 2, 2}},
      {"one zero", Matrix<double>(engine(), {{0}}), 0, {1}, {Structure::reducible, 0, 1, 1}},
      {"all rows but one in vain",
       Matrix<double>(engine(), {{1e-300, 1e300}, {0, 1e-300}}),
       1e-300,
       {1, 0},
       {Structure::reducible, 0, 2, 2}}};
}

void expect_vector(const std::vector<double>& found, const Case& known, const std::string& where) {
  EXPECT_EQ(*std::ranges::max_element(found), 1) << where;
  for (std::size_t i = 0; i < known.vector.size(); i++)
    EXPECT_NEAR(found[i], known.vector[i], 1e-9 * known.vector[i]) << where << ", " << i;
}

void expect_structure(const EigenStructure& found, const EigenStructure& known,
                      const std::string& where) {
  // Rounds with restarts may suffice for irreducible matrices.
  if (known.kind != Structure::reducible && found.kind == Structure::unexamined) return;
  EXPECT_EQ(to_string(found.kind), to_string(known.kind)) << where;
  EXPECT_EQ(found.period, known.period) << where;
  EXPECT_EQ(found.classes, known.classes) << where;
  EXPECT_EQ(found.basic_classes, known.basic_classes) << where;
}

void check_case(const Case& known, EigenMethod method, StopTest stop) {
  const double lambda = known.lambda;
  const auto pair =
      dominant_eigenpair(known.matrix, {.method = method, .stop = stop, .tolerance = 1e-10});
  const std::string where =
      known.what + ", " + std::string(to_string(method)) + ", " + std::string(to_string(stop));
  EXPECT_LE(pair.lower, lambda * (1 + 1e-15)) << where;
  EXPECT_GE(pair.upper, lambda * (1 - 1e-15)) << where;
  if (stop == StopTest::neighbours && pair.structure.kind == Structure::unexamined) return;
  EXPECT_TRUE(pair.converged) << where << ": " << to_string(pair.reason);
  EXPECT_LE(pair.upper - pair.lower, 1e-10 * lambda) << where;
  EXPECT_LE(pair.residual, 1e-9) << where;
  expect_vector(pair.vector.to_host(), known, where);
  expect_structure(pair.structure, known.structure, where);
}

TEST(StructureTest, EveryKindIsAnsweredByEveryMethod) {
  for (const EigenMethod method : kEveryMethod) {
    for (const Case& known : cases_of_rounds()) check_case(known, method, StopTest::bounds);
    for (const Case& known : reducible_cases()) {
      check_case(known, method, StopTest::bounds);
      check_case(known, method, StopTest::neighbours);
    }
  }
}

/// Irreducible: a cycle through all, and chance.
std::vector<double> random_block(std::size_t size, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0.01, 1);
  std::vector<double> block(size * size);
  for (std::size_t i = 0; i < size; i++) {
    block[i * size + (i + 1) % size] = uniform(random);
    for (int k = 0; k < 2; k++) {
      const std::size_t j = random() % size;
      if (uniform(random) < 0.6) block[i * size + j] = uniform(random);
    }
  }
  return block;
}

/// Blocks that reach later ones, in a random order, and bounds of their largest root.
struct Sample {
  std::size_t n = 0;
  std::vector<double> elements;
  Bounds truth{0, 0};
};

Sample random_sample(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<std::vector<double>> blocks;
  Sample sample;
  const std::size_t count = 2 + random() % 5;
  std::vector<std::size_t> first;
  for (std::size_t b = 0; b < count; b++) {
    const std::size_t size = 1 + random() % 12;
    // Every third repeats the one before: a root that is shared.
    auto block = b % 3 == 2 ? blocks.back() : random_block(size, random);
    const auto rows = static_cast<std::size_t>(std::lround(std::sqrt(double(block.size()))));
    const std::vector<Number> wide(block.begin(), block.end());
    const Bounds bounds = reference(wide, std::vector<Number>(rows, 1));
    sample.truth = {std::max(sample.truth.lower, bounds.lower),
                    std::max(sample.truth.upper, bounds.upper)};
    first.push_back(sample.n);
    sample.n += rows;
    blocks.push_back(std::move(block));
  }
  const std::size_t n = sample.n;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, random);
  sample.elements.resize(n * n);
  for (std::size_t b = 0; b < count; b++) {
    const std::size_t rows = (b + 1 < count ? first[b + 1] : n) - first[b];
    for (std::size_t i = 0; i < rows; i++) {
      const std::size_t row = order[first[b] + i] * n;
      for (std::size_t j = 0; j < rows; j++)
        sample.elements[row + order[first[b] + j]] = blocks[b][i * rows + j];
      for (std::size_t j = first[b] + rows; j < n; j++) {
        if (uniform(random) < 0.05) sample.elements[row + order[j]] = uniform(random);
      }
    }
  }
  return sample;
}

template <class T>
void check_sample(const Sample& sample, double tolerance, const std::string& what) {
  const std::size_t n = sample.n;
  const std::vector<T> elements(sample.elements.begin(), sample.elements.end());
  const auto pair =
      dominant_eigenpair(Matrix<T>(engine(), n, n, elements), {.tolerance = tolerance});
  EXPECT_TRUE(pair.converged) << what << ": " << to_string(pair.reason);
  EXPECT_LE(pair.upper - pair.lower, tolerance * pair.upper) << what;
  const Number rounding = sizeof(T) == 4 ? 1e-6L : 0;  // of the elements
  EXPECT_LE(pair.lower, sample.truth.upper * (1 + rounding)) << what;
  EXPECT_GE(pair.upper, sample.truth.lower * (1 - rounding)) << what;
  const auto vector = pair.vector.to_host();
  EXPECT_EQ(*std::ranges::max_element(vector), 1) << what;
  for (std::size_t i = 0; i < n; i++) {
    Number sum = 0;
    for (std::size_t j = 0; j < n; j++)
      sum += static_cast<Number>(elements[i * n + j]) * static_cast<Number>(vector[j]);
    EXPECT_NEAR(static_cast<double>(sum), pair.value * static_cast<double>(vector[i]),
                2 * tolerance * pair.value)
        << what << ", row " << i;
  }
}

TEST(StructureTest, ReducibleMatricesInARandomOrder) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 100; i++) {
    const Sample sample = random_sample(random);
    ASSERT_LE(sample.truth.upper - sample.truth.lower, 1e-12L * sample.truth.upper) << i;
    if (i % 2 == 0) {
      check_sample<double>(sample, 1e-11, "sample " + std::to_string(i));
    } else {
      check_sample<float>(sample, 1e-6, "sample " + std::to_string(i));
    }
  }
}

/// A bipartite graph that is too large for the host, and a node of its own: by rounds with a shift.
TEST(StructureTest, ALargePeriodicBlock) {
  constexpr std::size_t n = 1101;
  std::vector<float> elements(n * n);
  std::mt19937_64 random(5);
  for (std::size_t i = 0; i + 1 < n; i++) {
    for (std::size_t j = (i + 1) % 2; j + 1 < n; j += 2)
      elements[i * n + j] = random() % 4 == 0 || j == i + 1 || j + 1 == i ? 1.0f : 0.0f;
  }
  const Matrix<float> a(engine(), n, n, elements);
  const auto pair = dominant_eigenpair(a);
  EXPECT_TRUE(pair.converged) << to_string(pair.reason) << ": " << pair.lower << ", " << pair.upper;
  EXPECT_EQ(pair.structure.classes, 2u);
  EXPECT_LE(pair.residual, 1e-6);
}

/// Positive blocks, each with a component in the row of the next one, the last in the first.
Sample loosely_coupled(const std::vector<std::size_t>& sizes, double coupling) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> uniform(0.1, 1);
  Sample sample;
  for (const std::size_t size : sizes) sample.n += size;
  sample.elements.resize(sample.n * sample.n);
  std::size_t first = 0;
  for (const std::size_t size : sizes) {
    std::vector<Number> block;
    for (std::size_t i = first; i < first + size; i++) {
      for (std::size_t j = first; j < first + size; j++) {
        sample.elements[i * sample.n + j] = uniform(random);
        block.push_back(sample.elements[i * sample.n + j]);
      }
    }
    sample.elements[first * sample.n + (first + size) % sample.n] = coupling;
    const Bounds bounds = reference(block, std::vector<Number>(size, 1));
    sample.truth = {std::max(sample.truth.lower, bounds.lower),
                    std::max(sample.truth.upper, bounds.upper)};
    first += size;
  }
  return sample;
}

/// The components of all blocks but one are as small as what couples them, or its powers.
TEST(StructureTest, CouplingsMayBeAsSmallAsNumbersAre) {
  const std::vector<std::vector<std::size_t>> cases = {
      {1, 1}, {5, 6, 5}, {7, 8, 8}, {11, 10, 10}, {4, 4, 4, 4, 4, 4, 4, 4}};
  for (const auto& sizes : cases) {
    for (const double coupling : {1e-300, 1e-310, 5e-324}) {
      const Sample sample = loosely_coupled(sizes, coupling);
      check_sample<double>(sample, 1e-11,
                           std::to_string(sample.n) + ", " + std::to_string(sizes.size()));
    }
  }
}

/// Steps of a periodic matrix multiply their vector by 2e-4 and less each round.
TEST(StructureTest, AVectorThatSinksIsLost) {
  const Matrix<double> a(engine(), {{1e-4, 2}, {1, 1e-4}});
  for (const EigenMethod method : kEveryMethod) {
    for (const StopTest stop : {StopTest::bounds, StopTest::neighbours}) {
      const auto pair = dominant_eigenpair(a, {.method = method, .stop = stop, .max_rounds = 700});
      const std::string where =
          std::string(to_string(method)) + ", " + std::string(to_string(stop));
      const double lambda = 1e-4 + std::sqrt(2.0);
      EXPECT_LE(pair.lower, lambda) << where;
      EXPECT_GE(pair.upper, lambda) << where;
      EXPECT_TRUE(pair.converged || stop == StopTest::neighbours) << where;
      EXPECT_LE(pair.upper - pair.lower, pair.converged ? 1e-2 : 2) << where;
    }
  }
}

}  // namespace
}  // namespace tessera::test
