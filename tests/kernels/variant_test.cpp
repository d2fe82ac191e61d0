// Rows of variants: settling parameters, rules, coverage.
#include "kernels/resolve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tessera/error.hpp>

#include "support/device.hpp"

namespace tessera::kernels {
namespace {

Variant example() {
  return {.name = "example",
          .summary = "for tests",
          .parameters = {{"TILE", "edge", {4, 8, 16, 32}}, {"WORK", "of an item", {1, 2, 4, 8}}},
          .preferred =
              [](const Target&) {
                return Parameters{{"TILE", 16}, {"WORK", 3}};
              },
          .rules = {{"WORK divides TILE / 4",
                     [](const Parameters& p, const Target&) {
                       return p.at("TILE") / 4 % p.at("WORK") == 0;
                     }}},
          .work_group =
              [](const Parameters& p) {
                return WorkGroup{size(p, "TILE"), size(p, "TILE")};
              },
          .local_bytes = [](const Parameters& p, const Target&) { return 4 * size(p, "TILE"); },
          .operation = "test"};
}

Target target(std::size_t max_work_group = 256) {
  Target target(capabilities(test::engine()), {.types = ElementType::float32});
  target.max_work_group = max_work_group;
  return target;
}

std::string unsupported_reason(const Parameters& given, const Target& on) {
  try {
    resolve(example(), given, on);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(VariantTest, PreferredValuesBecomeCandidates) {
  EXPECT_EQ(resolve(example(), {}, target()), (Parameters{{"TILE", 16}, {"WORK", 2}}));
}

TEST(VariantTest, WhatIsGivenStays) {
  EXPECT_EQ(resolve(example(), {{"TILE", 8}}, target()), (Parameters{{"TILE", 8}, {"WORK", 2}}));
  EXPECT_EQ(resolve(example(), {{"WORK", 4}}, target()), (Parameters{{"TILE", 16}, {"WORK", 4}}));
}

TEST(VariantTest, WhatIsNotGivenIsClampedToTheDevice) {
  EXPECT_EQ(resolve(example(), {}, target(100)), (Parameters{{"TILE", 8}, {"WORK", 2}}));
  EXPECT_EQ(resolve(example(), {}, target(16)), (Parameters{{"TILE", 4}, {"WORK", 1}}));
}

TEST(VariantTest, RefusesByNameAndRule) {
  EXPECT_EQ(unsupported_reason({{"TILE", 8}, {"WORK", 4}}, target()),
            "test/example: TILE=8 WORK=4 break the rule: WORK divides TILE / 4");
  EXPECT_EQ(unsupported_reason({{"TILE", 5}}, target()),
            "test/example: TILE=5 is not one of 4, 8, 16, 32");
  EXPECT_EQ(unsupported_reason({{"TILES", 8}}, target()),
            "test/example: no parameter TILES; there are: TILE, WORK");
  const std::string too_large = unsupported_reason({{"TILE", 32}}, target(256));
  EXPECT_NE(too_large.find("TILE=32 WORK=2 makes a work-group of 32 x 32; "), std::string::npos)
      << too_large;
  EXPECT_NE(too_large.find(" allows 256 work-items"), std::string::npos) << too_large;
}

TEST(VariantTest, LocalMemoryIsALimit) {
  Variant greedy = example();
  greedy.local_bytes = [](const Parameters& p, const Target& on) {
    return size(p, "TILE") * on.device().local_memory / 8;
  };
  EXPECT_EQ(resolve(greedy, {}, target()).at("TILE"), 8);
  EXPECT_THROW(resolve(greedy, {{"TILE", 16}}, target()), UnsupportedError);
}

TEST(VariantTest, AVariantThatFitsNowhereSaysWhy) {
  EXPECT_FALSE(why_not(example(), target()).has_value());
  const auto reason = why_not(example(), target(15));
  ASSERT_TRUE(reason.has_value());
  EXPECT_NE(reason->find("allows 15 work-items"), std::string::npos) << *reason;
  EXPECT_TRUE(configurations(example(), target(15), Coverage::all).empty());
}

TEST(VariantTest, CoverageHasEveryCandidateOnceAndTheDefaultsFirst) {
  const auto all = configurations(example(), target(), Coverage::all);
  const auto few = configurations(example(), target(), Coverage::every_candidate);
  EXPECT_EQ(all.size(), 6u);  // 4: 1; 8: 1, 2; 16: 1, 2, 4
  EXPECT_LT(few.size(), all.size());
  EXPECT_EQ(few.front(), resolve(example(), {}, target()));
  std::set<std::pair<std::string, int>> values;
  for (const auto& set : few) values.insert(set.begin(), set.end());
  EXPECT_EQ(values,
            (std::set<std::pair<std::string, int>>{
                {"TILE", 4}, {"TILE", 8}, {"TILE", 16}, {"WORK", 1}, {"WORK", 2}, {"WORK", 4}}));
}

TEST(VariantTest, ThePublicViewSettlesAsACallDoes) {
  for (const OperationInfo& operation : operations()) {
    for (const VariantInfo& variant : operation.variants) {
      const auto defaults =
          variant.configurations(test::engine(), ElementType::float32, Coverage::defaults);
      if (defaults.empty()) {
        EXPECT_THROW(variant.resolve(test::engine(), ElementType::float32, {}), UnsupportedError);
        continue;
      }
      const auto resolve = [&](const Parameters& given) {
        return variant.resolve(test::engine(), ElementType::float32, given);
      };
      EXPECT_EQ(resolve({}), defaults.front()) << operation.name << "/" << variant.name();
      EXPECT_EQ(resolve(defaults.front()), defaults.front());
      EXPECT_THROW(resolve({{"NO_SUCH", 1}}), ArgumentError);
    }
  }
}

TEST(VariantTest, ThePublicViewKeepsWhatIsGivenOrRefusesIt) {
  const auto& multiply = operations().front();
  const auto named = [&](const std::string& name) {
    return *std::ranges::find(multiply.variants, name, &VariantInfo::name);
  };
  const auto resolve = [&](const std::string& name, const Parameters& given) {
    return named(name).resolve(test::engine(), ElementType::float32, given);
  };
  EXPECT_EQ(resolve("tiled_static", {{"TILE", 4}}), (Parameters{{"TILE", 4}}));
  EXPECT_THROW(resolve("tiled_static", {{"TILE", 5}}), ArgumentError);
  EXPECT_EQ(resolve("packed", {{"PAD", 16}}).at("A_ROW_MAJOR"), 1) << "what is not given follows";
  EXPECT_THROW(resolve("packed", {{"PAD", 16}, {"A_ROW_MAJOR", 0}}), UnsupportedError);
}

/// A variant with so many combinations that none but the legal ones may be kept.
Variant wide_example() {
  Variant wide = example();
  for (const char* name : {"A", "B", "C", "D", "E", "F", "G"})
    wide.parameters.push_back({name, "of no use", {0, 1, 2, 3}});
  wide.preferred = [](const Target&) {
    return Parameters{{"TILE", 16}, {"WORK", 3}, {"A", 0}, {"B", 0}, {"C", 0},
                      {"D", 0},     {"E", 0},    {"F", 0}, {"G", 0}};
  };
  return wide;
}

TEST(VariantTest, RulesThatSayWhatTheyLookAtForbidTheSame) {
  Variant late = wide_example(), early = wide_example();
  late.rules.push_back({"A + B is at most 1", [](const Parameters& p, const Target&) {
                          return p.at("A") + p.at("B") <= 1;
                        }});
  early.rules.push_back(late.rules.back());
  early.rules.front().depends_on = {"WORK", "TILE"};
  early.rules.back().depends_on = {"A", "B"};
  const auto sets = configurations(late, target(), Coverage::all);
  EXPECT_EQ(sets.size(), 6u * 3 * 1024);
  EXPECT_EQ(configurations(early, target(), Coverage::all), sets);
  EXPECT_LE(configurations(early, target(), Coverage::every_candidate).size(), 5u);
}

TEST(VariantTest, ARuleThatLooksAtMoreThanItSaysThrows) {
  Variant wrong = wide_example();
  wrong.rules.front().depends_on = {"TILE"};
  EXPECT_THROW(configurations(wrong, target(), Coverage::all), std::out_of_range);
}

}  // namespace
}  // namespace tessera::kernels
