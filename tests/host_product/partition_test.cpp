// Tiles and parts of products of host memory, and which device computes which, without a device.
#include "host_product/partition.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <string>
#include <tessera/error.hpp>
#include <vector>

#include "host_product/panel_cache.hpp"
#include "host_product/schedule.hpp"
#include "host_product/slots.hpp"
#include "simulation.hpp"

namespace tessera::test {
namespace {

using host_product::Extents;
using host_product::kTiles;
using host_product::PanelCache;
using host_product::Partition;
using host_product::Present;
using host_product::Schedule;
using host_product::Tile;
using host_product::tile_type;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20, kGiB = kMiB << 10;

/// Returns what is wrong with a partition; empty if nothing.
std::string wrong_with(const Extents& extents, const Partition& partition) {
  std::size_t elements = 0;
  std::set<std::pair<std::size_t, std::size_t>> corners;
  for (const Tile& tile : partition.tiles) {
    elements += tile.rows * tile.columns;
    corners.emplace(tile.row, tile.column);
    if (tile.rows == 0 || tile.columns == 0) return "an empty tile";
    if (tile.row + tile.rows > extents.m || tile.column + tile.columns > extents.n)
      return "a tile outside of c";
    if (tile.row / partition.tile_rows != tile.band ||
        (tile.row + tile.rows - 1) / partition.tile_rows != tile.band)
      return "a tile outside of its band";
    if (tile.column / partition.tile_columns != tile.strip ||
        (tile.column + tile.columns - 1) / partition.tile_columns != tile.strip)
      return "a tile outside of its strip";
  }
  if (corners.size() != partition.tiles.size()) return "two tiles at one place";
  if (elements != extents.m * extents.n) return "not every element";
  const std::size_t deep = partition.parts * partition.depth;
  return deep >= extents.k && deep - extents.k < partition.depth ? "" : "not all of k";
}

TEST(PartitionTest, TilesCoverEveryElementOnceAndFit) {
  std::mt19937_64 random(20261128);
  const auto extent = [&] {
    return std::size_t(std::exp2(std::uniform_real_distribution<double>(0, 17)(random)));
  };
  int fitted = 0;
  for (int i = 0; i < 2000; i++) {
    const ElementType type = i % 2 == 0 ? ElementType::float32 : ElementType::float64;
    const Extents extents{extent(), extent(), extent(), type};
    const std::uint64_t bytes = std::uint64_t{1} << (20 + i % 17);
    EXPECT_EQ(wrong_with(extents, partition_in_place(extents, kGiB)), "");
    Partition made;
    try {
      made = partition(extents, bytes);
    } catch (const MemoryError&) {
      EXPECT_LT(bytes, 16 * kMiB);
      continue;
    }
    fitted++;
    EXPECT_EQ(wrong_with(extents, made), "") << extents.m << " " << extents.n << " " << extents.k;
    const host_product::Slots slots = host_product::slots(extents, made, bytes);
    const std::uint64_t kept = slots.a * panel_bytes(extents, made.tile_rows, made.depth) +
                               slots.b * panel_bytes(extents, made.tile_columns, made.depth);
    EXPECT_LE(kept + kTiles * made.tile_rows * made.tile_columns *
                         element_size(tile_type(extents.types, made.parts)),
              bytes)
        << extents.m << " " << extents.n << " " << extents.k << " in " << bytes;
  }
  EXPECT_GT(fitted, 1000);
}

TEST(PartitionTest, ComplexTilesInPlaceAreSmallerIfCopiesHaveNoRoom) {
  const Extents extents{3000, 3000, 8000, ElementType::complex128};
  EXPECT_EQ(partition_in_place(extents, kGiB).tile_rows, 1024U);
  const Partition made = partition_in_place(extents, kGiB / 4);
  EXPECT_EQ(wrong_with(extents, made), "");
  EXPECT_EQ(made.tile_rows, 512U);
  EXPECT_EQ(partition_in_place(extents, 0).tile_rows, 256U);
}

TEST(PartitionTest, BecomesSmallerUntilNothingFits) {
  const Extents extents{5000, 7000, 9000, ElementType::float32};
  Partition made = partition(extents, 8 * kGiB);
  int steps = 0;
  try {
    for (;; steps++) {
      const std::size_t before = made.tile_rows + made.depth;
      made = smaller(extents, made);
      EXPECT_LT(made.tile_rows + made.depth, before);
      EXPECT_EQ(wrong_with(extents, made), "");
    }
  } catch (const MemoryError&) {
  }
  EXPECT_GE(steps, 2);
}

TEST(PartitionTest, SumsOfSeveralPartsAreNotRoundedToSixteenBits) {
  EXPECT_EQ(tile_type(ElementType::float16, 1), ElementType::float16);
  EXPECT_EQ(tile_type(ElementType::float16, 2), ElementType::float32);
  EXPECT_EQ(tile_type(ElementType::int8, 2), ElementType::int32);
  EXPECT_EQ(tile_type(ElementType::float64, 2), ElementType::float64);
}

TEST(PanelCacheTest, ReplacesTheLeastRecentlyUsedPanel) {
  PanelCache cache(4, 2, 3);
  EXPECT_FALSE(cache.place(0, 0).is_there);
  EXPECT_FALSE(cache.place(0, 1).is_there);
  EXPECT_FALSE(cache.place(1, 0).is_there);
  EXPECT_TRUE(cache.place(0, 0).is_there);
  EXPECT_EQ(cache.present(), (std::vector<double>{1, 0.5, 0, 0}));
  EXPECT_FALSE(cache.place(2, 0).is_there);  // in place of (0, 1)
  EXPECT_EQ(cache.present(), (std::vector<double>{0.5, 0.5, 0.5, 0}));
  EXPECT_TRUE(cache.place(0, 0).is_there);
  cache.forget(0, 0);
  EXPECT_EQ(cache.present(), (std::vector<double>{0, 0.5, 0.5, 0}));
  EXPECT_FALSE(cache.place(3, 1).is_there);
  EXPECT_EQ(cache.present(), (std::vector<double>{0, 0.5, 0.5, 0.5}));
}

TEST(ScheduleTest, HandsOutEveryTileOnceAndTakesTilesBack) {
  const Extents extents{3000, 2000, 100, ElementType::float32};
  const Partition partition = partition_in_place(extents, kGiB);
  Schedule schedule(partition, 3);
  const Present all{std::vector<double>(partition.bands, 1),
                    std::vector<double>(partition.strips, 1)};
  std::set<std::size_t> taken;
  for (std::size_t i = 0; i < partition.tiles.size(); i++) {
    const auto tile = schedule.take(i % 3, all);
    ASSERT_TRUE(tile);
    EXPECT_TRUE(taken.insert(*tile).second);
  }
  EXPECT_FALSE(schedule.take(0, all));
  schedule.give_back(2);
  EXPECT_EQ(schedule.take(1, all), 2U);
}

TEST(ScheduleTest, ThinAndHugeProductsAreSharedInLittleTime) {
  for (const Extents& extents : {Extents{100'000'000, 64, 64, ElementType::float32},
                                 Extents{80'000, 80'000, 10, ElementType::float32}}) {
    const Partition partition = host_product::partition(extents, 3 * kMiB);
    Schedule schedule(partition, 2);
    const Present nothing{std::vector<double>(partition.bands, 0),
                          std::vector<double>(partition.strips, 0)};
    for (std::size_t i = 0; i < 200; i++) EXPECT_TRUE(schedule.take(i % 2, nothing));
    EXPECT_LE(partition_in_place(extents, kGiB).tiles.size(), 4096U);
  }
}

/// While all operands fit, each panel is copied to a device at most once.
TEST(ScheduleTest, PanelsThatFitAreCopiedOnce) {
  const Extents extents{32768, 32768, 32768, ElementType::float32};
  const Partition partition = host_product::partition(extents, 60 * kGiB);
  for (const std::size_t devices : {1, 2, 4, 8}) {
    const Simulated seen =
        simulate(extents, partition, 60 * kGiB, std::vector(devices, Rates{52e12, 50e9, 50e9}));
    for (const SimulatedDevice& device : seen.devices) {
      EXPECT_LE(device.bytes_in, 2 * 4 * extents.n * extents.k);
      EXPECT_GT(device.tiles, partition.tiles.size() / devices / 2);
    }
  }
}

/// Several devices must reach these speed-ups in the simulation, with H100s' rates and 50 GB/s.
TEST(ScheduleTest, SeveralDevicesAreAsFastAsTheyShouldBe) {
  struct Example {
    std::size_t n, devices;
    ElementType type;
    Accuracy accuracy;
    double flops, speedup;
  };
  constexpr ElementType kFloat = ElementType::float32, kDouble = ElementType::float64;
  for (const auto& [n, devices, type, accuracy, flops, speedup] :
       {Example{32768, 4, kFloat, Accuracy::ieee, 52e12, 3.6},
        Example{32768, 4, kDouble, Accuracy::ieee, 60e12, 3.6},
        Example{65536, 4, kFloat, Accuracy::bounded, 230e12, 3.6},
        Example{65536, 8, kFloat, Accuracy::ieee, 52e12, 7}}) {
    const Extents extents{n, n, n, type, accuracy};
    const Partition partition = host_product::partition(extents, 60 * kGiB);
    const Rates rates{flops, 50e9, 50e9};
    const double one = simulate(extents, partition, 60 * kGiB, {rates}).seconds,
                 all = simulate(extents, partition, 60 * kGiB, std::vector(devices, rates)).seconds;
    EXPECT_GE(one / all, speedup) << n << " on " << devices << " devices";
    EXPECT_GE(2.0 * double(n) * double(n) * double(n) / flops / one, 0.9) << n;
  }
}

}  // namespace
}  // namespace tessera::test
