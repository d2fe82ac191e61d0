// sliced_k with k split among work-groups: the block's last one adds the sums, or another launch
// does.
#include <gtest/gtest.h>

#include <cstddef>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/transposed_if.hpp"

namespace tessera {
namespace {

/// The shape of C, and the number of work-groups that split k per compute unit.
struct Shared {
  std::size_t m, n;
  int groups_per_cu;
  bool transposed = false;  // both operands
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
  const auto [m, n, groups_per_cu, transposed] = GetParam();
  const Matrix<float> a(test::engine(), transposed ? kDepth : m, transposed ? m : kDepth,
                        small_integers(m * kDepth, 1)),
      b(test::engine(), transposed ? n : kDepth, transposed ? kDepth : n,
        small_integers(kDepth * n, 2));
  const auto left = test::transposed_if(transposed, a), right = test::transposed_if(transposed, b);
  MultiplyOptions options{.alpha = 2, .beta = 3, .kernel = {"naive"}};
  // All sums are exact. What c held before is used once for each element.
  const auto product = [&] {
    Matrix<float> c(test::engine(), m, n, small_integers(m * n, 3));
    multiply_into(c, left, right, options);
    return c.to_host();
  };
  const auto expected = product();
  const Stream other = test::engine().new_stream();
  options.kernel = {"sliced_k", {{"GROUPS_PER_CU", groups_per_cu}, {"MIN_DEPTH", 64}}};
  for (int i = 0; i < 3; i++) {
    options.stream = {};
    EXPECT_EQ(product(), expected) << i;
    options.stream = other;
    EXPECT_EQ(product(), expected) << i << ", on another stream";
  }
}

// A small machine has two compute units:
//   6 blocks split among 12 work-groups, two for each
//   6 blocks split among 16 work-groups, so that some work on two blocks
//   1 block split among 16 work-groups, finished by another launch
// The last blocks of 20 rows and 37 columns overlap the ones before.
INSTANTIATE_TEST_SUITE_P(Blocks, SlicedKTest,
                         testing::Values(Shared{20, 37, 6}, Shared{20, 37, 8}, Shared{9, 11, 8},
                                         Shared{20, 37, 8, true}, Shared{9, 11, 8, true}));

}  // namespace
}  // namespace tessera
