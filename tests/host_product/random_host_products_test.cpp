// multiply_host of random matrices: right, the same bits on any devices, and nothing written
// beside.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <tessera/tessera.hpp>

#include "host_case.hpp"
#include "support/device.hpp"
#include "support/share.hpp"

namespace tessera::test {
namespace {

constexpr std::uint64_t kHalfMebibyte = std::uint64_t{1} << 19;

/// Memory for tiles of 256 x 256 and parts of 256 or 512, except in one case of four.
std::uint64_t little_memory(const ProductTypes& types, std::uint64_t seed) {
  if (seed % 4 == 0) return 0;
  constexpr std::uint64_t kTile = 256;
  const std::uint64_t depth = kTile * (1 + seed % 2);
  return 3 * kTile * (kTile * element_size(types.sum) + 2 * depth * element_size(types.a));
}

HostCase random_case(std::uint64_t seed, std::mt19937_64& random) {
  const auto extent = [&] {
    return std::size_t(std::exp2(std::uniform_real_distribution<double>(0, 10)(random)));
  };
  constexpr ElementType kHalf = ElementType::float16, kBfloat = ElementType::bfloat16,
                        kFloat = ElementType::float32;
  const std::vector<ProductTypes> all = {kFloat,
                                         ElementType::float64,
                                         ElementType::int32,
                                         ElementType::int8,
                                         kHalf,
                                         kBfloat,
                                         ProductTypes(kHalf, kFloat),
                                         ProductTypes(kBfloat, kFloat),
                                         ElementType::complex64,
                                         ElementType::complex128};
  constexpr std::array<double, 4> kAlphas = {1, -2, 3, 0}, kBetas = {0, 1, -3, 0};
  const ProductTypes types = all[random() % all.size()];
  const auto op = [&] {
    const bool transposes = random() % 2 == 0;
    return op_if(transposes, is_complex(types.a) && random() % 2 == 0);
  };
  const auto factor = [&](double real) -> Scalar {
    if (!is_complex(types.a)) return real;
    return std::complex(real, kBetas[random() % 4]);
  };
  return {types,
          extent(),
          extent(),
          extent(),
          op(),
          op(),
          factor(kAlphas[random() % 8 == 0 ? 3 : random() % 3]),
          factor(kBetas[random() % 4]),
          little_memory(types, seed)};
}

/// Returns the largest error in units of its bound.
double expect_right(HostOperands& operands, const Engine& other, const VerifySample& sample) {
  const StoredMatrix c = operands.product({engine()}), again = operands.product({engine(), other});
  EXPECT_EQ(c.bytes, again.bytes) << text_of(operands.one);
  EXPECT_TRUE(c.has_gaps_of(operands.before)) << text_of(operands.one);
  const Verification seen = operands.verify(c, sample);
  EXPECT_TRUE(seen.passed()) << text_of(operands.one) << ": " << seen.worst;
  EXPECT_GT(seen.elements, 0U);
  return seen.worst;
}

/// Every type, shape, transpose, gap and scalar.
TEST(RandomHostProductsTest, OfEveryKind) {
  const Engine other(engine().device().selector);
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t seed = 1; seed <= 500; seed++) seeds.push_back(seed);
  double worst = 0;
  for (const std::uint64_t seed : share_of(seeds)) {
    std::mt19937_64 random(seed);
    const HostCase one = random_case(seed, random);
    const bool is_double = operands::part_type(one.types.a) == ElementType::float64;
    if (is_double && !engine().device().has_double) continue;
    HostOperands operands(one, random);
    worst = std::max(worst, expect_right(operands, other, {.max_elements = 3000, .seed = seed}));
  }
  EXPECT_GT(worst, 0.01);
}

/// Several tiles on devices that use the matrices in place, and that do not.
TEST(RandomHostProductsTest, OfSeveralTiles) {
  const Engine other(engine().device().selector);
  for (const ElementType type : {ElementType::float32, ElementType::float16, ElementType::bfloat16,
                                 ElementType::int8, ElementType::complex64}) {
    const std::uint64_t number = element_size(ProductTypes(type).sum);
    for (const bool in_place : {false, true}) {
      const HostCase one = in_place
                               ? HostCase{type, 2100, 1100, 40, Op::none, Op::transpose, 1, -2, 0}
                               : HostCase{type, 600,      300,
                                          700,  Op::none, Op::transpose,
                                          1,    -2,       number * 5 * kHalfMebibyte / 4};
      std::mt19937_64 random(5);
      HostOperands operands(one, random);
      expect_right(operands, other, {.max_elements = 20000, .seed = 1});
    }
  }
}

/// A tile of several parts, and bands that do not fit all at once.
TEST(RandomHostProductsTest, OfLittleMemoryAndGreatDepth) {
  std::mt19937_64 random(1);
  HostOperands operands(
      {ElementType::float32, 700, 600, 3000, Op::none, Op::transpose, 2, 1, 6 * kHalfMebibyte},
      random);
  HostProductReport report;
  const StoredMatrix c = operands.product({engine()}, &report);
  EXPECT_LT(report.depth, 3000U);
  EXPECT_LE(report.tile_rows, 256U);
  EXPECT_GT(report.devices[0].bytes_in,
            (operands.a.numbers.size() + operands.b.numbers.size()) * sizeof(float));
  EXPECT_EQ(report.devices[0].bytes_out, operands.before.numbers.size() * sizeof(float));
  EXPECT_FALSE(report.devices[0].in_place);
  EXPECT_TRUE(operands.verify(c, {.max_elements = 5000}).passed());
}

}  // namespace
}  // namespace tessera::test
