// Splitting steps among a GPU's work-groups, computed without a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "multiply/gpu/sliced_blocks.hpp"
#include "multiply/gpu/stream_k.hpp"
#include "operands/grid.hpp"

namespace tessera::multiplication {
namespace {

constexpr std::size_t kSlots = 264;

/// The first step of a sharer, as in cl/common/stream_k.cl.
std::size_t share_begin(const StreamK& work, std::size_t sharer) {
  return sharer * work.share + std::min<std::size_t>(sharer, work.more);
}

TEST(StreamKTest, EveryStepHasOneWorkGroup) {
  for (const std::size_t down : {1U, 3U, 17U, 33U}) {
    for (const std::size_t across : {1U, 13U, 17U, 64U}) {
      for (const std::size_t steps : {0U, 1U, 5U, 129U, 4096U}) {
        const StreamK work = stream_k(down, across, steps, kSlots);
        EXPECT_LE(work.shared, down * across);
        EXPECT_EQ(share_begin(work, work.sharers), std::size_t{work.shared} * work.steps)
            << down << " x " << across << " x " << steps;
        EXPECT_GE(work.groups(kSlots), std::max<std::size_t>(work.sharers, 1));
        EXPECT_LE(work.groups(kSlots), kSlots);
        for (std::size_t i = 0; i < work.sharers; i++)
          EXPECT_GE(share_begin(work, i + 1) - share_begin(work, i), 4U);
      }
    }
  }
}

TEST(StreamKTest, PartsAreOfOneBlockEach) {
  EXPECT_EQ(shared_by(2, 3, 188, 12).parts, 2U);
  EXPECT_EQ(shared_by(2, 3, 188, 16).parts, 0U) << "some sharers have two blocks";
  EXPECT_EQ(shared_by(1, 1, 188, 16).parts, 0U) << "some have a step more";
  for (const std::size_t steps : {8U, 64U, 188U}) {
    for (const std::size_t sharers : {6U, 12U, 24U, 48U}) {
      const StreamK work = shared_by(2, 3, steps, sharers);
      if (work.parts > 0) {
        EXPECT_EQ(work.parts * work.share, work.steps) << steps << ", " << sharers;
        EXPECT_EQ(work.parts * work.shared, work.sharers) << steps << ", " << sharers;
      }
    }
  }
}

TEST(StreamKTest, NoWaveIsMuchEmptierThanOthers) {
  for (const std::size_t edge : {2U, 8U, 16U, 17U, 24U, 33U, 47U}) {
    const StreamK work = stream_k(edge, edge, 128, kSlots);
    // Steps of the busiest slot, and of each slot if all had as many.
    const std::size_t own = edge * edge - work.shared,
                      maximum = operands::divide_up(own, kSlots) * work.steps + work.share +
                                (work.more > 0 ? 1 : 0);
    const double fair = static_cast<double>(edge * edge * work.steps) / kSlots;
    EXPECT_LE(static_cast<double>(maximum), 1.1 * fair + 4) << edge;
  }
}

TEST(StreamKTest, FullWavesAreNotShared) {
  EXPECT_EQ(stream_k(16, 33, 128, kSlots).shared, 0U);
  EXPECT_EQ(stream_k(64, 64, 128, kSlots).shared, 0U) << "15.5 waves";
  EXPECT_EQ(stream_k(1, 1, 3, kSlots).shared, 0U) << "too few steps";
}

TEST(StreamKTest, AFewStepsAreNotShared) {
  EXPECT_EQ(stream_k(8, 16, 16, kSlots, 8).shared, 128U) << "16 steps become 8";
  EXPECT_EQ(stream_k(8, 16, 16, kSlots, 9).shared, 0U);
  EXPECT_EQ(stream_k(17, 17, 16, kSlots, 100).shared, 289U) << "a wave of 25 takes as long as one";
}

TEST(StreamKTest, FullWavesAreSharedIfThatSavesEnough) {
  const StreamK work = stream_k(32, 32, 256, kSlots, 1, 31);
  EXPECT_EQ(work.shared, 496U) << "the last two of 3.9 waves";
  EXPECT_EQ(work.sharers, kSlots);
  EXPECT_EQ(stream_k(32, 32, 256, kSlots, 1, 32).shared, 0U) << "1024 steps become 993";
  EXPECT_EQ(stream_k(32, 33, 256, kSlots, 1, 1).shared, 0U) << "4 whole waves";
}

TEST(StreamKTest, SharersOfOneBlockBeginNoOther) {
  const StreamK work = sliced_k_work({1000, 1000, 1000}, 1, {64, 64, 16, 3}, 132);
  EXPECT_EQ(work.shared, 256U);
  EXPECT_EQ(work.sharers, 512U) << "two for each block, of 528 that the device has room for";
  EXPECT_EQ(work.more, 0U);
  EXPECT_EQ(2 * work.share, work.steps);
  EXPECT_GE(work.steps * 16U, 1000U);
}

TEST(StreamKTest, TheLastSharerJoinsFewPartsOnDevicesWithAFence) {
  DeviceCapabilities device;
  device.has_device_fence = true;
  const StreamK few = sliced_k_work({512, 512, 512}, 1, {64, 64, 16, 3}, 132),
                many = sliced_k_work({64, 64, 65536}, 1, {64, 64, 16, 3}, 132),
                none = sliced_k_work({4096, 4096, 64}, 1, {64, 64, 16, 3}, 132);
  EXPECT_TRUE(can_join_last(few, device));
  EXPECT_FALSE(can_join_last(many, device)) << "one work-group would read them all";
  EXPECT_FALSE(can_join_last(none, device));
  const StreamK sliced = sliced_k_work({64, 64, 4096}, 1, {64, 64, 16, 3}, 132);
  EXPECT_FALSE(can_join_last(sliced, device)) << sliced.sharers << " parts";
  EXPECT_TRUE(can_join_last(sliced, device, 8)) << "some for each slice of the work-group";
  device.has_device_fence = false;
  EXPECT_FALSE(can_join_last(few, device));
}

}  // namespace
}  // namespace tessera::multiplication
