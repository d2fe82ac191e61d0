// sliced_k where work-groups share out k: joined by the last one of a block, or by another launch.
#include <gtest/gtest.h>

#include <cstddef>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"

namespace tessera {
namespace {

/// Of C, and how many work-groups share out k for each compute unit.
struct Shared {
  std::size_t m, n;
  int groups_per_cu;
};

std::vector<float> small_integers(std::size_t number, std::size_t seed) {
  std::vector<float> values(number);
  for (std::size_t i = 0; i < number; i++)
    values[i] = static_cast<float>((i * 7 + seed * 5 + i / 11) % 9) - 4;
  return values;
}

class SlicedKTest : public testing::TestWithParam<Shared> {};

TEST_P(SlicedKTest, SharedBlocksAreRightAgainAndAgain) {
  constexpr std::size_t kDepth = 3000;
  const auto [m, n, groups_per_cu] = GetParam();
  const Matrix<float> a(test::engine(), m, kDepth, small_integers(m * kDepth, 1)),
      b(test::engine(), kDepth, n, small_integers(kDepth * n, 2));
  const auto expected = multiply(a, b, {.kernel = {"naive"}}).to_host();  // all sums are exact
  const Stream other(test::engine());
  MultiplyOptions<float> options{
      .kernel = {"sliced_k", {{"GROUPS_PER_CU", groups_per_cu}, {"LEAST_DEPTH", 64}}}};
  for (int i = 0; i < 3; i++) {
    options.stream = {};
    EXPECT_EQ(multiply(a, b, options).to_host(), expected) << i;
    options.stream = other;
    EXPECT_EQ(multiply(a, b, options).to_host(), expected) << i << ", on another stream";
  }
}

// With the two compute units of a small machine: 6 blocks by 12 work-groups, two for each; the same
// by 16, some of which begin with another block; one block by 16, which another launch joins.
INSTANTIATE_TEST_SUITE_P(Blocks, SlicedKTest,
                         testing::Values(Shared{20, 37, 6}, Shared{20, 37, 8}, Shared{9, 11, 8}));

}  // namespace
}  // namespace tessera
