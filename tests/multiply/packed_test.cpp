// The kernels for CPUs: how C is divided among work-items, what counts as small, and more blocks of
// every kind than the small products of other tests have.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "multiply/cpu/share_out.hpp"
#include "operands/grid.hpp"
#include "operations.hpp"
#include "support/device.hpp"
#include "support/type_name.hpp"
#include "tessera/check.hpp"
#include "tessera/tessera.hpp"

namespace tessera::multiplication {
namespace {

constexpr std::size_t kTileRows = 6, kTileColumns = 64, kBlockRows = 1056;

/// The most tiles that a work-item gets, and how many work-items there are.
struct Share {
  std::size_t tiles, items;
};

Share share(const Shape& shape, std::size_t items) {
  const Tiles tiles = tiles_of(shape, kTileRows, kTileColumns);
  const auto [across, down] = share_out(tiles, items, kBlockRows);
  return {operands::divide_up(tiles.down, down) * operands::divide_up(tiles.across, across),
          across * down};
}

TEST(ShareOutTest, NoWorkItemHasMuchMoreThanItsShare) {
  for (const std::size_t items : {2U, 4U, 16U}) {
    for (const Shape& shape : {Shape{256, 256, 256}, Shape{2049, 2049, 2049}, Shape{53, 1805, 115},
                               Shape{8192, 64, 8192}, Shape{64, 8192, 8192}}) {
      const Tiles tiles = tiles_of(shape, kTileRows, kTileColumns);
      const Share largest = share(shape, items);
      EXPECT_LE(largest.items, items);
      EXPECT_LE(static_cast<double>(largest.tiles * items),
                1.25 * static_cast<double>(tiles.down * tiles.across))
          << shape.m << " x " << shape.n << " among " << items;
    }
  }
}

TEST(ShareOutTest, CountsAPartialTileAtItsWidth) {
  EXPECT_EQ(share_out(tiles_of({304, 321, 1200}, kTileRows, kTileColumns), 2, kBlockRows),
            (std::array<std::size_t, 2>{1, 2}));
  EXPECT_EQ(share_out(tiles_of({304, 384, 1200}, kTileRows, kTileColumns), 2, kBlockRows),
            (std::array<std::size_t, 2>{2, 1}));
  // Three tiles across: the second work-item has two, and the last one is one column wide.
  EXPECT_EQ(share_out(tiles_of({12, 129, 1}, kTileRows, kTileColumns), 2, kBlockRows),
            (std::array<std::size_t, 2>{2, 1}));
}

TEST(ShareOutTest, IsWithoutIdleWorkItemsOnlyWhereThereAreTiles) {
  EXPECT_EQ(share({1, 1, 1}, 16).items, 1U);
  EXPECT_EQ(share({6, 128, 1}, 16).items, 2U);
  EXPECT_EQ(share({1000, 1000, 1}, 1).items, 1U);
}

TEST(PreferenceTest, SmallProductsOnACpuAreNotPacked) {
  const kernels::Operation& operation = find_operation("multiply");
  const auto of = [&](const Problem& problem) {
    DeviceCapabilities device;
    device.type = DeviceType::cpu;
    return operation.preference(device, problem).front().variant;
  };
  const auto first = [&](std::size_t m, std::size_t n, std::size_t k) {
    return of({.m = m, .n = n, .k = k});
  };
  EXPECT_EQ(first(1, 1, 1), "direct");
  EXPECT_EQ(first(256, 256, 256), "direct");
  EXPECT_EQ(first(256, 257, 256), "packed");
  EXPECT_EQ(first(200, 201, 199), "direct");
  EXPECT_EQ(first(100, 90, 1024), "direct");
  EXPECT_EQ(first(16, 16, 1025), "packed");
  EXPECT_EQ(first(384, 384, 384), "direct");
  EXPECT_EQ(first(384, 368, 384), "packed");
  EXPECT_EQ(of({.types = ElementType::float64, .m = 256, .n = 256, .k = 256}), "direct");
  EXPECT_EQ(of({.types = ElementType::float64, .m = 320, .n = 320, .k = 320}), "packed");
  EXPECT_EQ(of({.types = ElementType::float16, .m = 128, .n = 128, .k = 128}), "packed");
  EXPECT_EQ(first(2048, 2048, 2048), "packed");
  EXPECT_EQ(of({.m = 64, .n = 64, .k = 64, .batch = 100}), "direct");
  EXPECT_EQ(of({.m = 128, .n = 128, .k = 128, .batch = 4}), "packed");
  EXPECT_EQ(of({.m = 128, .n = 128, .k = 128, .batch = 3}), "direct");
  EXPECT_EQ(of({.types = ElementType::float64, .m = 64, .n = 64, .k = 64, .batch = 100}), "packed");
  EXPECT_EQ(of({.types = ElementType::complex64, .m = 2, .n = 3, .k = 2}), "packed");
}

TEST(ShareOutTest, PiecesAreHalvedWhileTheyAreWorthIt) {
  EXPECT_EQ(pieces_of(0, 4096, 5), 1U);
  EXPECT_EQ(pieces_of(64 * 127, 4096, 5), 1U);
  EXPECT_EQ(pieces_of(64 * 128, 4096, 5), 2U);
  EXPECT_EQ(pieces_of(128 * 256, 4096, 5), 4U);
  EXPECT_EQ(pieces_of(std::size_t{1} << 40, 4096, 5), 5U);
  EXPECT_EQ(pieces_of(std::size_t{1} << 40, 4096, 1), 1U);
}

TEST(PreferenceTest, OnMoreThanTwoUnitsPartsOfCAreDealtOutInPieces) {
  const kernels::Variant& packed = kernels::find_variant(find_operation("multiply"), "packed");
  const auto pieces = [&](std::uint32_t units) {
    DeviceCapabilities device;
    device.type = DeviceType::cpu;
    device.compute_units = units;
    return packed.preferred(kernels::Target(device, {.m = 1, .n = 1, .k = 1})).at("PIECES");
  };
  EXPECT_EQ(pieces(1), 1);
  EXPECT_EQ(pieces(2), 1);
  EXPECT_EQ(pieces(4), 5);
  EXPECT_EQ(pieces(16), 5);
}

class PackedTest : public testing::TestWithParam<ProductTypes> {};

TEST_P(PackedTest, ManyBlocksOfEveryKindAreRight) {
  const auto packed = detail::Access::make<VariantInfo>(
      kernels::find_variant(find_operation("multiply"), "packed"));
  const Verdict verdict = packed.runs_on(test::engine(), GetParam());
  if (!verdict) GTEST_SKIP() << verdict.reason;
  const Parameters small_blocks = {{"MC", 96}, {"NC", 1536}, {"KC", 128}, {"A_ROW_MAJOR", 1}};
  for (const bool transposed : {false, true}) {
    // Two products, so that each is one work-item's.
    const Problem problem{.types = GetParam(),
                          .m = 391,
                          .n = 1541,
                          .k = 151,
                          .batch = 2,
                          .op_a = op_if(transposed),
                          .op_b = op_if(transposed),
                          .beta = transposed ? 1.0 : 0.0};
    const auto result = check(test::engine(), {problem}, {"packed", small_blocks});
    EXPECT_EQ(result.failure, "") << transposed;
  }
}

TEST_P(PackedTest, PiecesOfAnyRectangleCoverIt) {
  const auto packed = detail::Access::make<VariantInfo>(
      kernels::find_variant(find_operation("multiply"), "packed"));
  const Verdict verdict = packed.runs_on(test::engine(), GetParam());
  if (!verdict) GTEST_SKIP() << verdict.reason;
  // Halved by rows, by columns, by both in turn, by products; some pieces are empty. A piece that
  // was computed twice would be added twice.
  for (const auto& [m, n, batch] : {std::array<std::size_t, 3>{2500, 65, 1},
                                    {7, 20000, 1},
                                    {700, 701, 1},
                                    {61, 67, 75},
                                    {110, 6000, 3}}) {
    const Problem problem{.types = GetParam(), .m = m, .n = n, .k = 5, .batch = batch, .beta = 1.0};
    const auto result = check(test::engine(), {problem}, {"packed", {{"PIECES", 5}}});
    EXPECT_EQ(result.failure, "") << describe({problem});
  }
}

class ComplexPackedTest : public testing::TestWithParam<ElementType> {};

TEST_P(ComplexPackedTest, EveryPairOfOpsHasManyBlocks) {
  const auto packed = detail::Access::make<VariantInfo>(
      kernels::find_variant(find_operation("multiply"), "packed"));
  const Verdict verdict = packed.runs_on(test::engine(), GetParam());
  if (!verdict) GTEST_SKIP() << verdict.reason;
  // Panels of A are by rows for complex64, by columns for complex128.
  const int by_rows = GetParam() == ElementType::complex64 ? 1 : 0;
  const Parameters small_blocks = {
      {"MC", 96},   {"NC", 1536}, {"KC", 128}, {"A_ROW_MAJOR", by_rows}, {"PAD", 16 * by_rows},
      {"PIECES", 3}};
  constexpr std::array kOps = {Op::none, Op::transpose, Op::conjugate_transpose, Op::conjugate};
  for (const Op op_a : kOps) {
    for (const Op op_b : kOps) {
      // The last blocks have odd numbers of rows, columns and steps.
      const CheckCase one{.problem = {.types = GetParam(),
                                      .m = 103,
                                      .n = 801,
                                      .k = 131,
                                      .op_a = op_a,
                                      .op_b = op_b,
                                      .alpha = std::complex(0.5, -1.0),
                                      .beta = std::complex(-1.0, 2.0)},
                          .strided = is_conjugated(op_a)};
      const auto result = check(test::engine(), one, {"packed", small_blocks});
      EXPECT_EQ(result.failure, "") << describe(one);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, ComplexPackedTest,
                         testing::Values(ElementType::complex64, ElementType::complex128),
                         [](const auto& test) { return test::type_name(test.param); });

/// C is whole vectors and the edges of some.
TEST(PackedFactorsTest, ARealFactorScalesEachPart) {
  using Element = std::complex<float>;
  constexpr std::size_t m = 7, n = 45, k = 3;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Matrix<Element> a(test::engine(), m, k, std::vector<Element>(m * k, {1, 1})),
      b(test::engine(), k, n, std::vector<Element>(k * n, {0, 2}));  // the sums are -6 + 6i
  Matrix<Element> c(test::engine(), m, n);
  const auto product = [&](const Scalar& alpha, const Scalar& beta) {
    c.upload(std::vector<Element>(m * n, {kInfinity, 2}));
    multiply_into(c, a, b, {.alpha = alpha, .beta = beta, .kernel = {"packed"}});
    return c.to_host();
  };
  for (const Element& element : product(2, 3)) EXPECT_EQ(element, Element(kInfinity, 18));
  for (const Element& element : product(std::complex(0.0, 1.0), 0))
    EXPECT_EQ(element, Element(-6, -6));
  for (const Element& element : product(1, std::complex(0.0, 1.0)))
    EXPECT_TRUE(std::isnan(element.real()) && element.imag() == kInfinity);
}

/// Infinite sums, whose parts a complex alpha would mix.
TEST(PackedFactorsTest, ARealAlphaKeepsInfiniteSums) {
  using Element = std::complex<float>;
  constexpr std::size_t n = 45;
  constexpr float kHuge = 3e38F, kInfinity = std::numeric_limits<float>::infinity();
  const Matrix<Element> a(test::engine(), 2, 2, std::vector<Element>(4, kHuge)),
      b(test::engine(), 2, n, std::vector<Element>(2 * n, 1));
  for (const Element& element : multiply(a, b, {.alpha = 2, .kernel = {"packed"}}).to_host())
    EXPECT_EQ(element, Element(kInfinity, 0));
}

INSTANTIATE_TEST_SUITE_P(Types, PackedTest,
                         testing::Values(ProductTypes(ElementType::float32),
                                         ProductTypes(ElementType::float16),
                                         ProductTypes(ElementType::float16, ElementType::float32),
                                         ProductTypes(ElementType::bfloat16),
                                         ProductTypes(ElementType::int8),
                                         ProductTypes(ElementType::complex64)),
                         [](const auto& test) { return test::type_name(test.param); });

}  // namespace
}  // namespace tessera::multiplication
