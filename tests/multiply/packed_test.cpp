// The kernels for CPUs: how C is divided among work-items, what counts as small, and more blocks of
// every kind than the small products of other tests have.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

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

INSTANTIATE_TEST_SUITE_P(Types, PackedTest,
                         testing::Values(ProductTypes(ElementType::float32),
                                         ProductTypes(ElementType::float16),
                                         ProductTypes(ElementType::float16, ElementType::float32),
                                         ProductTypes(ElementType::bfloat16),
                                         ProductTypes(ElementType::int8)),
                         [](const auto& test) { return test::type_name(test.param); });

}  // namespace
}  // namespace tessera::multiplication
