// Lane exchanges: what the device has is found, and each back end gives every lane the right
// values.
#include "runtime/capabilities.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tessera/check.hpp>
#include <tessera/kernel.hpp>

#include "support/device.hpp"

namespace tessera {
namespace {

TEST(LanesTest, LocalMemoryIsAlwaysThereAndLast) {
  const auto& support = capabilities(test::engine()).lane_exchanges;
  ASSERT_FALSE(support.empty());
  EXPECT_EQ(support.back().exchange, LaneExchange::local_memory);
  EXPECT_FALSE(support.back().sizes.empty());
}

TEST(LanesTest, AnIntelBlockReadNeedsTheExtension) {
  const bool listed = test::engine().device().has_extension("cl_intel_subgroups");
  const bool found = capabilities(test::engine()).has_block_reads;
  EXPECT_TRUE(listed || !found);
}

TEST(LanesTest, BlockReadsOfGpusHaveAtMost16Lanes) {
  DeviceCapabilities device;
  device.type = DeviceType::gpu;
  device.simd_width = 32;
  device.max_work_group = 1024;
  device.max_work_items = {1024, 1024, 1024};
  device.lane_exchanges = {{LaneExchange::intel_subgroups, {8, 16, 32}}};
  device.has_block_reads = true;
  const auto& variants = info_of("multiply").variants;
  const auto variant = std::ranges::find(variants, "intel_subgroup_block", &VariantInfo::name);
  ASSERT_NE(variant, variants.end());
  const auto lanes = [&] {
    return variant->resolve(device, ElementType::float32, {}).at("SUBGROUP_SIZE");
  };
  EXPECT_EQ(lanes(), 16);
  device.type = DeviceType::cpu;
  EXPECT_EQ(lanes(), 32);
}

/// Several sub-groups a work-group, the last ones partly or wholly outside of the matrix.
class ExchangeTest : public testing::TestWithParam<LaneExchange> {};

TEST_P(ExchangeTest, GivesRightProductsWithSeveralSubGroupsAndPartialOnes) {
  const auto& all = capabilities(test::engine()).lane_exchanges;
  const auto support = std::ranges::find(all, GetParam(), &LaneSupport::exchange);
  if (support == all.end())
    GTEST_SKIP() << "the device does not exchange by " << to_string(GetParam());
  const int lanes = std::max(8, support->sizes.front());
  const KernelChoice kernel{
      "subgroup_block",
      {{"SHUFFLE", static_cast<int>(GetParam())}, {"SUB_GROUPS", 4}, {"SUBGROUP_SIZE", lanes}}};
  const auto edge = static_cast<std::size_t>(lanes);
  for (const std::size_t columns : {std::size_t{1}, edge - 1, edge, edge + 1, 3 * edge + 2}) {
    CheckCase product{.problem = {.m = 4 * 8 + 3, .n = columns, .k = edge + 3, .beta = 1}};
    EXPECT_EQ(check(test::engine(), product, kernel).failure, "") << columns;
    product.problem.types = ElementType::int32;
    EXPECT_EQ(check(test::engine(), product, kernel).failure, "") << columns;
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, ExchangeTest,
                         testing::Values(LaneExchange::local_memory, LaneExchange::khr_subgroups,
                                         LaneExchange::intel_subgroups, LaneExchange::nvidia_ptx),
                         [](const auto& test) {
                           std::string text(to_string(test.param));
                           std::ranges::replace(text, ' ', '_');
                           return text;
                         });

}  // namespace
}  // namespace tessera
