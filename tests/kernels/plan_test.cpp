// Plans: made once, by name or by preference, with a way on where a preferred kernel does not
// build.
#include "kernels/planner.hpp"

#include <gtest/gtest.h>

#include <tessera/error.hpp>

#include "eigen/implicit_round.hpp"
#include "multiply/table.hpp"
#include "runtime/capabilities.hpp"

namespace tessera::kernels {
namespace {

/// An engine of each test's own: plans are remembered by the address of their operation.
class PlanTest : public testing::Test {
 protected:
  runtime::Stream& stream() const { return runtime::stream_of(engine_); }

 private:
  Engine engine_;
};

TEST_F(PlanTest, TheSameChoiceIsTheSamePlan) {
  const auto& operation = multiplication::multiply_table().operation();
  const KernelChoice choice{"naive", {{"GROUP_ROWS", 4}}};
  EXPECT_EQ(plan(stream(), operation, {}, choice), plan(stream(), operation, {}, choice));
  EXPECT_NE(plan(stream(), operation, {}, choice), plan(stream(), operation, {}, {"naive", {}}));
}

TEST_F(PlanTest, WhatDoesNotBuildIsPassedOverUnlessItWasNamed) {
  const auto& real = multiplication::multiply_table().operation();
  Variant broken = find_variant(real, "naive");
  broken.options = [](const Parameters&, const Target&) {
    return std::string(" -D kernel=nonsense");
  };
  const Operation operation{.name = "multiply",
                            .types = {},
                            .variants = {&broken, &find_variant(real, "row_tile")},
                            .preference = [](const DeviceCapabilities&, const Problem&) {
                              return Preference{"naive", "row_tile"};
                            }};
  const auto chosen = plan(stream(), operation, {}, {});
  EXPECT_EQ(chosen->variant->name, "row_tile");
  EXPECT_NE(chosen->reason.find("cl/multiply/naive.cl does not compile"), std::string::npos)
      << chosen->reason;
  EXPECT_THROW(plan(stream(), operation, {}, {"naive", {}}), BuildError);
}

TEST_F(PlanTest, NothingThatRunsIsAnErrorWithReasons) {
  Variant never = *multiplication::multiply_table().operation().variants.front();
  never.unsupported_reason = [](const Target&) { return std::string("it is Tuesday"); };
  const Operation operation{
      .name = "multiply",
      .types = {},
      .variants = {&never},
      .preference = [](const DeviceCapabilities&, const Problem&) { return Preference{"naive"}; }};
  try {
    plan(stream(), operation, {}, {});
    FAIL() << "nothing was thrown";
  } catch (const UnsupportedError& error) {
    EXPECT_NE(std::string(error.what()).find("it is Tuesday"), std::string::npos) << error.what();
  }
}

TEST_F(PlanTest, NothingThatCompilesIsABuildError) {
  Variant broken = *multiplication::multiply_table().operation().variants.front();
  broken.options = [](const Parameters&, const Target&) { return std::string(" -D kernel=+"); };
  const Operation operation{
      .name = "multiply",
      .types = {},
      .variants = {&broken},
      .preference = [](const DeviceCapabilities&, const Problem&) { return Preference{"naive"}; }};
  EXPECT_THROW(plan(stream(), operation, {}, {}), BuildError);
}

// On GPUs with 48 KiB of local memory sums of two doubles do not fit where sums of one do; here
// both have so much more that the plain ones fill the device's.
TEST_F(PlanTest, AnotherModeTakesTheNearestParametersThatAreLegalThere) {
  const DeviceCapabilities& device = runtime::capabilities(stream());
  if (!device.has_double) GTEST_SKIP() << "the device has no double";
  const Operation& real = eigen::implicit_round_table().operation();
  const Variant& rounds = find_variant(real, "row_per_group");
  const Parameters tuned{{"LOCAL_SIZE", 32}, {"MR", 8}, {"UNROLL", 2}, {"CACHED_MIB", 0}};
  const Problem problem{.operation = real.name, .m = 64, .n = 64};
  const std::size_t plain = rounds.local_bytes(tuned, Target(device, problem));
  Variant greedy = rounds;
  greedy.local_bytes = [&](const Parameters& parameters, const Target& target) {
    return rounds.local_bytes(parameters, target) * device.local_memory / plain;
  };
  Operation operation = real;
  operation.variants = {&greedy};

  const auto round = plan(stream(), operation, problem, {greedy.name, tuned});
  ASSERT_EQ(round->parameters, tuned);
  const Mode mode{.accumulator = Accumulator::compensated};
  const auto pass = in_mode(stream(), operation, problem, *round, mode);
  EXPECT_EQ(pass->mode, mode);
  Parameters fitted = tuned;
  fitted["MR"] = 4;
  EXPECT_EQ(pass->parameters, fitted);
  EXPECT_EQ(pass->reason, round->reason);
}

TEST_F(PlanTest, EveryDefaultVariantIsListed) {
  const auto& operation = multiplication::multiply_table().operation();
  for (const Preferred& choice : operation.preference(runtime::capabilities(stream()), {})) {
    EXPECT_EQ(find_variant(operation, choice.variant).name, choice.variant);
  }
}

}  // namespace
}  // namespace tessera::kernels
