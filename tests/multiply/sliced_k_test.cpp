// sliced_k where work-groups share out k, and the last one of a block joins their sums.
#include <gtest/gtest.h>

#include <cstddef>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"

namespace tessera {
namespace {

constexpr std::size_t kM = 20, kN = 37, kK = 3000;

template <class T>
std::vector<T> small_integers(std::size_t number, std::size_t seed) {
  std::vector<T> values(number);
  for (std::size_t i = 0; i < number; i++)
    values[i] = static_cast<T>(static_cast<int>((i * 7 + seed * 5 + i / 11) % 9) - 4);
  return values;
}

/// Exact, since all sums are integers.
template <class T>
std::vector<T> product(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> c(kM * kN);
  for (std::size_t i = 0; i < kM; i++) {
    for (std::size_t p = 0; p < kK; p++) {
      for (std::size_t j = 0; j < kN; j++) c[i * kN + j] += a[i * kK + p] * b[p * kN + j];
    }
  }
  return c;
}

class SlicedKTest : public testing::TestWithParam<Parameters> {
 protected:
  static const Engine& engine() { return test::engine(); }
};

TEST_P(SlicedKTest, SharedBlocksAreRightAgainAndAgain) {
  const auto a_values = small_integers<float>(kM * kK, 1),
             b_values = small_integers<float>(kK * kN, 2);
  const auto expected = product(a_values, b_values);
  const Matrix<float> a(engine(), kM, kK, a_values), b(engine(), kK, kN, b_values);
  const Stream other(engine());
  for (int i = 0; i < 3; i++) {
    MultiplyOptions<float> options{.kernel = {"sliced_k", GetParam()}};
    EXPECT_EQ(multiply(a, b, options).to_host(), expected) << i;
    options.stream = other;
    EXPECT_EQ(multiply(a, b, options).to_host(), expected) << i << ", on another stream";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sharers, SlicedKTest,
    testing::Values(Parameters{{"GROUPS_PER_CU", 8}, {"LEAST_DEPTH", 64}},
                    Parameters{{"GROUPS_PER_CU", 4}, {"LEAST_DEPTH", 128}},
                    Parameters{{"GROUPS_PER_CU", 3}, {"LEAST_DEPTH", 512}, {"SLICES", 1}}));

}  // namespace
}  // namespace tessera
