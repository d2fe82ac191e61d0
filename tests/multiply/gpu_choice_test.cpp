// Kernels that an H200 prefers, computed without a GPU.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>

#include "multiply/gpu_choice.hpp"

namespace tessera::test {
namespace {

TEST(PreferenceTest, TheLeastTimeOnPaperIsChosen) {
  const auto variant = [](const Problem& problem) { return first(problem).variant; };
  EXPECT_EQ(variant({.m = 64, .n = 64, .k = 64}), "sliced_k");
  EXPECT_EQ(variant({.m = 512, .n = 512, .k = 512}), "sliced_k") << "a call takes longer by maps";
  EXPECT_EQ(variant({.m = 1024, .n = 1024, .k = 1024}), "sliced_k") << "as fast as by maps";
  EXPECT_EQ(variant({.m = 2048, .n = 2048, .k = 2048}), "bulk_copy");
  EXPECT_EQ(variant({.m = 4096, .n = 4096, .k = 4096}), "bulk_copy");
  EXPECT_EQ(variant({.m = 77, .n = 35, .k = 2112}), "sliced_k") << "k is shared out";
  EXPECT_EQ(variant({.m = 256, .n = 8192, .k = 8192}), "bulk_copy");
  EXPECT_EQ(variant({.m = 64, .n = 8192, .k = 8192}), "bulk_copy") << "in tiles of 64 rows";
  EXPECT_EQ(variant({.m = 64, .n = 64, .k = 65536}), "sliced_k");
  EXPECT_EQ(variant({.m = 5493, .n = 34, .k = 4281}), "sliced_k") << "copies cost more";
  EXPECT_EQ(variant({.m = 64, .n = 64, .k = 64, .batch = 10000}), "sliced_k") << "one launch";
}

TEST(PreferenceTest, DoublesGoToTheTensorCoresInTilesThatFillTheDevice) {
  const auto tile = [](std::size_t m, std::size_t n, std::size_t k) {
    const auto preferred = first({.types = ElementType::float64, .m = m, .n = n, .k = k});
    return preferred.variant == "tensor_core_double" ? preferred.parameters.at("TILE") : 0;
  };
  EXPECT_EQ(tile(128, 128, 128), 0);
  EXPECT_EQ(tile(512, 512, 512), 0) << "128 smaller blocks for 132 compute units";
  EXPECT_EQ(tile(768, 768, 768), 128) << "of 144 small tiles, 12 would be second ones";
  EXPECT_EQ(tile(1024, 1024, 1024), 64) << "two for each compute unit";
  EXPECT_EQ(tile(4096, 4096, 4096), 128);
  EXPECT_EQ(tile(64, 64, 65536), 0) << "264 parts of one tile would be added in turn";
}

TEST(PreferenceTest, ThatOfInt8IsTheTensorCoresOnHopper) {
  const auto all =
      find_operation("multiply")
          .preference(hopper(), {.types = ElementType::int8, .m = 4096, .n = 4096, .k = 4096});
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].variant, "tensor_core_int8");
  EXPECT_EQ(all[1].variant, "mma_int8");
  EXPECT_EQ(all[2].variant, "register_tiled");
  EXPECT_EQ(all[3].variant, "naive");
  Problem words{.types = ElementType::int8, .m = 59, .n = 1000, .k = 244, .op_b = Op::transpose};
  EXPECT_EQ(first(words).variant, "mma_int8") << "rows at multiples of 4 bytes are not copied";
  EXPECT_EQ(first(words).parameters.at("TILE_N"), 64);
  words.k = 245;
  EXPECT_EQ(first(words).variant, "tensor_core_int8") << "the copies take longer";
  const Problem batch{.types = ElementType::int8, .m = 64, .n = 64, .k = 64, .batch = 10000};
  EXPECT_EQ(first(batch).variant, "register_tiled") << "one launch";
  EXPECT_EQ(first({.types = ElementType::int8, .m = 120000, .n = 90000, .k = 120000}).variant,
            "tensor_core_int8")
      << "a byte for each number of A and B";
}

TEST(PreferenceTest, ThatOfLargeInt32IsTheTensorCoresWhereBytesRunThere) {
  const auto square = [](std::size_t n) {
    return Problem{.types = ElementType::int32, .m = n, .n = n, .k = n};
  };
  DeviceCapabilities device = hopper();
  EXPECT_EQ(first(square(200), device).variant, "sliced_k");
  EXPECT_EQ(first(square(1024), device).variant, "tensor_core_int32");
  EXPECT_EQ(first(square(8192), device).variant, "tensor_core_int32");
  EXPECT_EQ(first({.types = ElementType::int32, .m = 64, .n = 64, .k = 64, .batch = 10000}, device)
                .variant,
            "sliced_k")
      << "one launch";
  device.has_wgmma = false;
  EXPECT_EQ(first(square(2048), device).variant, "bulk_copy");
}

TEST(PreferenceTest, AnyShapeHasOne) {
  const std::size_t huge = std::size_t{1} << 31;
  EXPECT_EQ(first({.m = huge, .n = 2, .k = 1}).variant, "register_tiled") << "no tensor maps";
  for (const std::size_t n : {0U, 1U, 1000U}) {
    EXPECT_FALSE(first({.m = 0, .n = n, .k = n}).variant.empty());
    EXPECT_FALSE(first({.m = n, .n = n, .k = 0}).variant.empty());
    EXPECT_FALSE(first({.m = n, .n = n, .k = n, .batch = 0}).variant.empty());
  }
}

TEST(PreferenceTest, UnalignedOperandsAreReadWhereTheyAreStored) {
  const Problem doubles{.types = ElementType::float64, .m = 1000, .n = 500, .k = 2000},
      halves{.types = ElementType::float16, .m = 1000, .n = 504, .k = 2000};
  EXPECT_EQ(first(doubles).variant, "tensor_core_double");
  EXPECT_EQ(first(halves).variant, "tensor_core_half");
  Problem odd = doubles;
  odd.leading_dimensions = {2001, 501, 501};
  EXPECT_EQ(first(odd).variant, "sliced_k_double") << "copies cost more";
  odd = doubles;
  odd.offsets = {1, 1, 1};
  EXPECT_EQ(first(odd).variant, "sliced_k_double") << "so they do where a block begins between";
  odd = halves;
  odd.offsets = {3, 3, 3};
  EXPECT_EQ(first(odd).variant, "tensor_core");
}

TEST(PreferenceTest, StoresDecideAboutLargeResultsOfShallowDoubles) {
  Problem problem{.types = ElementType::float64, .m = 6403, .n = 3713, .k = 25};
  EXPECT_EQ(first(problem).variant, "sliced_k_double") << "C is stored one by one";
  problem.k = 2500;
  EXPECT_EQ(first(problem).variant, "tensor_core_double");
}

TEST(PreferenceTest, FewBlocksOfDoublesAreNotSharedOnTensorCores) {
  const Problem thin{.types = ElementType::float64, .m = 2385, .n = 56, .k = 1988};
  EXPECT_EQ(first(thin).variant, "sliced_k_double");
}

TEST(PreferenceTest, TilesFollowTheShape) {
  const auto value = [](const Problem& problem, const char* name) {
    return first(problem).parameters.at(name);
  };
  const Problem square{.m = 4096, .n = 4096, .k = 4096}, flat{.m = 64, .n = 8192, .k = 8192},
      tall{.m = 8192, .n = 64, .k = 8192}, row{.m = 8, .n = 8192, .k = 8192};
  EXPECT_EQ(value(square, "TILE_M"), 128);
  EXPECT_EQ(value(square, "TILE_N"), 128);
  EXPECT_EQ(value(flat, "TILE_M"), 64);
  EXPECT_EQ(value(tall, "TILE_N"), 64);
  EXPECT_EQ(value(row, "TILE_M"), 16);
  EXPECT_EQ(value({.m = 5493, .n = 34, .k = 4281}, "TILE_N"), 32) << "tiles of 64 are never whole";
  EXPECT_EQ(value({.m = 64, .n = 64, .k = 64, .batch = 10000}, "WORK_M"), 4) << "many at a time";
}

TEST(PreferenceTest, WhatLeavesNoRoomForCopiesIsNotCopied) {
  EXPECT_EQ(first({.m = 70000, .n = 70000, .k = 70000}).variant, "bulk_copy") << "5 x 18 GiB";
  EXPECT_EQ(first({.m = 90000, .n = 90000, .k = 90000}).variant, "sliced_k") << "5 x 30 GiB";
  EXPECT_EQ(first({.m = 200, .n = 95000, .k = 95000}).variant, "sliced_k") << "B alone: 34 GiB";
}

TEST(PreferenceTest, RowsOfBytesTakeWholeLinesInCopies) {
  Problem problem{.types = ElementType::int8, .m = 200'000'000, .n = 8, .k = 8};
  EXPECT_EQ(first(problem).variant, "tensor_core_int8");
  problem.m = 300'000'000;
  EXPECT_EQ(first(problem).variant, "register_tiled") << "a copy of 36 GiB, of 2 GiB of operands";
}

TEST(PreferenceTest, TensorCoresMultiplyHalvesAndBoundedFloats) {
  const Mode bounded{.accuracy = Accuracy::bounded};
  const Problem half{.types = ElementType::float16, .m = 2048, .n = 2048, .k = 2048},
      floats{.m = 2048, .n = 2048, .k = 2048, .mode = bounded},
      doubles{.types = ElementType::float64, .m = 4096, .n = 4096, .k = 4096, .mode = bounded},
      few_doubles{.types = ElementType::float64, .m = 1024, .n = 1024, .k = 1024, .mode = bounded},
      deep{.types = ElementType::float64, .m = 4096, .n = 4096, .k = 1 << 18, .mode = bounded},
      small{.types = ElementType::float16, .m = 256, .n = 256, .k = 256},
      shallow{.types = ElementType::float16, .m = 400, .n = 400, .k = 100},
      many{.types = ElementType::float16, .m = 64, .n = 64, .k = 64, .batch = 10000},
      few{.m = 512, .n = 512, .k = 512, .mode = bounded},
      thin{.m = 6230, .n = 85, .k = 5621, .op_b = Op::transpose, .mode = bounded};
  EXPECT_EQ(first(half).variant, "tensor_core_half");
  EXPECT_EQ(first(small).variant, "tensor_core_half") << "as fast as tensor_core";
  EXPECT_EQ(first(shallow).variant, "tensor_core");
  EXPECT_EQ(first(many).variant, "tensor_core");
  EXPECT_EQ(first(floats).variant, "tensor_core_hopper");
  EXPECT_EQ(first(doubles).variant, "tensor_core_residues");
  EXPECT_EQ(first(few_doubles).variant, "tensor_core_double");
  EXPECT_EQ(first(deep).variant, "tensor_core_double") << "sums of residues would overflow";
  EXPECT_EQ(first(few).variant, "sliced_k") << "the split costs more than it saves";
  EXPECT_EQ(first(thin).variant, "sliced_k") << "the cache does not hold A between its readings";
  DeviceCapabilities without = hopper();
  without.has_wgmma = false;
  EXPECT_EQ(first(half, without).variant, "tensor_core");
}

TEST(PreferenceTest, LargeComplexProductsGoToTensorCoresOrBulkCopies) {
  const auto variant = [](ElementType type, std::size_t n, Accuracy accuracy, bool has_wgmma) {
    DeviceCapabilities device = hopper();
    device.has_wgmma = has_wgmma;
    return first({.types = type, .m = n, .n = n, .k = n, .mode = {accuracy}}, device).variant;
  };
  struct Kernels {
    ElementType type;
    const char *bounded, *by_warps, *ieee;
  };
  const char* const as_real = "tiled_static";  // of the complex type: the real product is faster
  for (const auto& [type, bounded, by_warps, ieee] :
       {Kernels{ElementType::complex64, "tensor_core_hopper", "mma_halves", "bulk_copy"},
        {ElementType::complex128, "tensor_core_residues", "mma_residues", as_real}}) {
    EXPECT_EQ(variant(type, 2048, Accuracy::bounded, true), bounded);
    EXPECT_EQ(variant(type, 200, Accuracy::bounded, true), as_real);
    EXPECT_EQ(variant(type, 2048, Accuracy::ieee, true), ieee);
    EXPECT_EQ(variant(type, 2048, Accuracy::bounded, false), by_warps);
  }
}

TEST(PreferenceTest, BlocksOfTensorCoresAreAsWideAsFillsTheDevice) {
  for (const ElementType type : {ElementType::float16, ElementType::int8}) {
    const auto columns = [&](std::size_t n) {
      return first({.types = type, .m = n, .n = n, .k = n}).parameters.at("TILE_N");
    };
    EXPECT_EQ(columns(1024), 64) << "128 blocks for 132 compute units";
    EXPECT_EQ(columns(4096), 256);
  }
}

}  // namespace
}  // namespace tessera::test
