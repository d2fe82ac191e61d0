// Lane exchanges: what the device has is found, and each back end gives every lane the right
// values.
#include "kernels/lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tessera/check.hpp>

#include "support/device.hpp"

namespace tessera::kernels {
namespace {

TEST(LanesTest, LocalMemoryIsAlwaysThereAndLast) {
  const auto& support = lane_support(*test::engine().stream());
  ASSERT_FALSE(support.empty());
  EXPECT_EQ(support.back().exchange, Exchange::local_memory);
  EXPECT_FALSE(support.back().sizes.empty());
  EXPECT_EQ(lane_exchanges(test::engine()).size(), support.size());
}

TEST(LanesTest, AnIntelBlockReadNeedsTheExtension) {
  const bool listed = test::engine().device().has_extension("cl_intel_subgroups");
  const bool found = has_intel_block_reads(*test::engine().stream());
  EXPECT_TRUE(listed || !found);
}

/// Several sub-groups a work-group, the last ones partly or wholly outside of the matrix.
class ExchangeTest : public testing::TestWithParam<Exchange> {};

TEST_P(ExchangeTest, GivesRightProductsWithSeveralSubGroupsAndPartialOnes) {
  const auto& all = lane_support(*test::engine().stream());
  const auto support = std::ranges::find(all, GetParam(), &LaneSupport::exchange);
  if (support == all.end()) GTEST_SKIP() << "the device does not exchange by " << name(GetParam());
  const int lanes = std::max(8, support->sizes.front());
  const KernelChoice kernel{
      "subgroup_block",
      {{"SHUFFLE", static_cast<int>(GetParam())}, {"SUB_GROUPS", 4}, {"SUBGROUP_SIZE", lanes}}};
  const auto edge = static_cast<std::size_t>(lanes);
  for (const std::size_t columns : {std::size_t{1}, edge - 1, edge, edge + 1, 3 * edge + 2}) {
    const MultiplyCase product{.rows = 4 * 8 + 3, .columns = columns, .k = edge + 3, .beta = 1};
    EXPECT_EQ(check_multiply<float>(test::engine(), product, kernel).failure, "") << columns;
    EXPECT_EQ(check_multiply<std::int32_t>(test::engine(), product, kernel).failure, "") << columns;
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, ExchangeTest,
                         testing::Values(Exchange::local_memory, Exchange::khr_subgroups,
                                         Exchange::intel_subgroups, Exchange::nvidia_ptx),
                         [](const auto& test) {
                           std::string text(name(test.param));
                           std::ranges::replace(text, ' ', '_');
                           return text;
                         });

}  // namespace
}  // namespace tessera::kernels
