// Every variant of the eigenpair's operations, with every type, is right on edge cases for a share
// of its parameter sets.
#include <gtest/gtest.h>

#include <string>
#include <tessera/check.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "eigen/solver_plans.hpp"
#include "operations.hpp"
#include "support/device.hpp"
#include "support/share.hpp"
#include "support/type_name.hpp"

namespace tessera::test {
namespace {

struct Subject {
  const OperationInfo* operation;
  const VariantInfo* variant;
  ProductTypes types;
};

class EigenVariantTest : public testing::TestWithParam<Subject> {
 protected:
  void SetUp() override {
    const auto& [operation, variant, types] = GetParam();
    const Verdict verdict = variant->runs_on(engine(), types);
    if (!verdict)
      GTEST_SKIP() << operation->name << "/" << variant->name() << ": " << verdict.reason;
  }
};

TEST_P(EigenVariantTest, EveryCandidateIsRightOnEdgeCases) {
  const auto& [operation, variant, types] = GetParam();
  const auto sets = variant->configurations(engine(), types, Coverage::every_candidate);
  ASSERT_FALSE(sets.empty());
  for (const Parameters& parameters : share_of(sets)) {
    std::string text;
    for (const auto& [name, value] : parameters) text += name + "=" + std::to_string(value) + " ";
    const auto all = check_cases(operation->name, types, parameters, parameters == sets.front());
    ASSERT_FALSE(all.empty());
    for (const CheckCase& check_case : all) {
      if (!variant->runs_on(engine(), types, check_case.problem.mode)) continue;
      try {
        const CheckResult result = check(engine(), check_case, {variant->name(), parameters});
        EXPECT_EQ(result.failure, "") << text << describe(check_case);
        EXPECT_GT(result.verification.elements, 0u);
        EXPECT_EQ(result.ran.variant(), variant->name());
        EXPECT_EQ(result.ran.parameters(), parameters);
      } catch (const UnsupportedError& error) {
        EXPECT_NE(parameters, sets.front()) << error.what();
        EXPECT_EQ(&check_case, &all.front()) << error.what();
        break;
      }
    }
  }
}

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const std::string& name : eigen::solver_operations()) {
    const OperationInfo& operation = info_of(name);
    for (const VariantInfo& variant : operation.variants) {
      for (const ProductTypes& types : operation.types)
        all.push_back({&operation, &variant, types});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Eigen, EigenVariantTest, testing::ValuesIn(subjects()),
                         [](const auto& test) {
                           return test.param.operation->name + "_" + test.param.variant->name() +
                                  "_" + type_name(test.param.types);
                         });

}  // namespace
}  // namespace tessera::test
