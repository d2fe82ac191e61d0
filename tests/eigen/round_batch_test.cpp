// Batches of rounds that are timed: as many rounds as they say, and none ends them.
#include "eigen/round_batch.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <tessera/tessera.hpp>
#include <vector>

#include "eigen/implicit_round.hpp"
#include "support/device.hpp"
#include "support/plan_of.hpp"

namespace tessera::eigen {
namespace {

template <class T>
void expect_every_round(std::size_t n) {
  // The rounds of a matrix of ones are right at once.
  const Matrix<T> a(test::engine(), n, n, std::vector<T>(n * n, T(1)));
  for (const VariantInfo& variant : info_of("implicit_round").variants) {
    RoundBatch batch(implicit_round_table(), test::engine(), kElementType<T>, n);
    const Problem problem{.operation = "implicit_round", .types = kElementType<T>, .m = n, .n = n};
    const auto plan = test::plan_of(test::engine(), problem, {variant.name(), {}});
    for (std::uint32_t i = 1; i <= 3; i++) {
      const KernelRun ran = batch.run(detail::operand(a), plan);
      EXPECT_EQ(ran.variant(), variant.name());
      EXPECT_EQ(batch.rounds(), i * RoundBatch::kRounds) << variant.name() << ", n = " << n;
    }
  }
}

TEST(RoundBatchTest, DoesEveryRoundAndGoesOn) {
  if (!test::engine().device().has_double) GTEST_SKIP() << "the device has no double";
  for (const std::size_t n : {std::size_t{1}, std::size_t{37}, std::size_t{300}}) {
    expect_every_round<float>(n);
    expect_every_round<double>(n);
  }
}

}  // namespace
}  // namespace tessera::eigen
