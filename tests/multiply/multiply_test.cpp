// multiply: what it promises beside right sums.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <tessera/check.hpp>
#include <tessera/tessera.hpp>
#include <thread>
#include <vector>

#include "support/device.hpp"
#include "support/message_of.hpp"

namespace tessera::test {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(MultiplyTest, MultipliesSmallMatrices) {
  const Matrix<float> a(engine(), {{1, 2, 3}, {4, 5, 6}});
  const Matrix<float> b(engine(), {{7, 8}, {9, 10}, {11, 12}});
  EXPECT_EQ((a * b).to_host(), (std::vector<float>{58, 64, 139, 154}));
}

TEST(MultiplyTest, TakesTransposes) {
  const Matrix<double> a(engine(), {{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(multiply(a, a.transposed()).to_host(), (std::vector<double>{14, 32, 32, 77}));
  EXPECT_EQ(multiply(a.transposed(), a).to_host(),
            (std::vector<double>{17, 22, 27, 22, 29, 36, 27, 36, 45}));
}

// Types of c that accept a product: not constant, and with elements that the product has.
template <class C, class A>
concept ProductIn = requires(C c, const A& a) {
  multiply_into(static_cast<C>(c), a, a);
};
static_assert(ProductIn<Matrix<float>&, Matrix<float>> &&
              ProductIn<MatrixView<float>, ConstMatrixView<float>> &&
              ProductIn<const MatrixView<float>&, Matrix<float>> &&
              ProductIn<Matrix<float>&, Matrix<half>> &&
              ProductIn<Matrix<float>&, Matrix<bfloat16>> &&
              ProductIn<Matrix<std::int32_t>&, Matrix<std::int8_t>>);
static_assert(!ProductIn<const Matrix<float>&, Matrix<float>> &&
              !ProductIn<ConstMatrixView<float>, Matrix<float>> &&
              !ProductIn<Matrix<double>&, Matrix<float>> &&
              !ProductIn<Matrix<half>&, Matrix<float>> &&
              !ProductIn<Matrix<half>&, Matrix<bfloat16>> &&
              !ProductIn<Matrix<std::int8_t>&, Matrix<std::int8_t>>);

TEST(MultiplyTest, AddsToC) {
  const Matrix<std::int32_t> a(engine(), {{1, 2}, {3, 4}});
  Matrix<std::int32_t> c(engine(), {{100, 200}, {300, 400}});
  multiply_into(c, a, a, {.alpha = 2, .beta = -1});
  EXPECT_EQ(c.to_host(), (std::vector<std::int32_t>{-86, -180, -270, -356}));
}

TEST(MultiplyTest, TakesMoreRowsThanALaunchHasWorkGroups) {
  const CheckCase tall{.problem = {.m = 65543, .n = 2, .k = 3, .beta = 1}, .strided = true};
  for (const char* variant : {"row_tile", "packed"}) {
    EXPECT_EQ(check(engine(), tall, {variant, {}}).failure, "") << variant;
  }
}

TEST(MultiplyTest, Int32WrapsAround) {
  const Matrix<std::int32_t> a(engine(), {{2'000'000'000, 65536}});
  const Matrix<std::int32_t> b(engine(), {{2}, {65536}});
  EXPECT_EQ((a * b).to_host(),
            std::vector<std::int32_t>{static_cast<std::int32_t>(4'000'000'000u)});
}

TEST(MultiplyTest, HalfIsSummedInFloat) {
  // In half arithmetic 2048 + 1 is 2048.
  const Matrix<half> a(engine(), 1, 101, [] {
    std::vector<half> row(101, half(1));
    row[0] = half(2048);
    return row;
  }());
  const Matrix<half> b(engine(), 101, 1, std::vector<half>(101, half(1)));
  EXPECT_EQ(static_cast<float>((a * b).to_host().front()), 2148);
}

TEST(MultiplyTest, EmptyInnerDimensionGivesBetaC) {
  const Matrix<float> a(engine(), 2, 0), b(engine(), 0, 2);
  Matrix<float> c(engine(), {{1, 2}, {3, 4}});
  multiply_into(c, a, b, {.beta = 3});
  EXPECT_EQ(c.to_host(), (std::vector<float>{3, 6, 9, 12}));
  multiply_into(c, a, b);
  EXPECT_EQ(c.to_host(), (std::vector<float>{0, 0, 0, 0}));
}

TEST(MultiplyTest, WithoutProductsAlphaIsNotAFactor) {
  const Matrix<float> a(engine(), 2, 0), b(engine(), 0, 1);
  for (const float alpha : {std::numeric_limits<float>::infinity(), kNaN}) {
    Matrix<float> c(engine(), {{1}, {2}});
    multiply_into(c, a, b, {.alpha = alpha, .beta = 3});
    EXPECT_EQ(c.to_host(), (std::vector<float>{3, 6}));
  }
}

TEST(MultiplyTest, EmptyOuterDimensionsGiveEmptyProducts) {
  const Matrix<float> a(engine(), 0, 3), b(engine(), 3, 5);
  const auto c = multiply(a, b);
  EXPECT_EQ(c.rows(), 0u);
  EXPECT_EQ(c.columns(), 5u);
  EXPECT_TRUE(c.to_host().empty());
  EXPECT_EQ(c.ran.variant(), "") << "no kernel is built for nothing";
}

TEST(MultiplyTest, AlphaZeroDoesNotReadOperands) {
  const Matrix<float> a(engine(), {{kNaN, 1}, {kNaN, 1}});
  Matrix<float> c(engine(), {{1, 2}, {3, 4}});
  multiply_into(c, a, a, {.alpha = 0, .beta = 1});
  EXPECT_EQ(c.to_host(), (std::vector<float>{1, 2, 3, 4}));
}

TEST(MultiplyTest, BetaZeroDoesNotReadC) {
  const Matrix<float> a(engine(), {{1, 0}, {0, 1}});
  Matrix<float> c(engine(), {{kNaN, kNaN}, {kNaN, kNaN}});
  multiply_into(c, a, a);
  EXPECT_EQ(c.to_host(), (std::vector<float>{1, 0, 0, 1}));
}

TEST(MultiplyTest, WritesADisjointBlockOfItsOwnOperand) {
  Matrix<float> all(engine(), 4, 4, std::vector<float>(16, 2));
  multiply_into(all.block(0, 2, 2, 2), all.block(0, 0, 2, 2), all.block(2, 0, 2, 2));
  EXPECT_EQ(all.to_host(), (std::vector<float>{2, 2, 8, 8, 2, 2, 8, 8, 2, 2, 2, 2, 2, 2, 2, 2}));
}

TEST(MultiplyTest, RefusesAnOutputThatSharesElements) {
  Matrix<float> all(engine(), 4, 4, std::vector<float>(16, 2));
  const auto before = all.to_host();
  const std::string message = message_of(
      [&] { multiply_into(all.block(1, 1, 2, 2), all.block(0, 0, 2, 2), all.block(2, 2, 2, 2)); });
  EXPECT_EQ(message, "multiply: c and a have elements in common");
  EXPECT_THROW(multiply_into(all, all, all), MatrixError);
  EXPECT_EQ(all.to_host(), before);
}

TEST(MultiplyTest, RefusesShapesThatDoNotFit) {
  const Matrix<float> a(engine(), 3, 4), b(engine(), 5, 2);
  EXPECT_EQ(message_of([&] { a* b; }),
            "multiply: a is 3 x 4 and b is 5 x 2: the inner dimensions 4 and 5 differ");
  Matrix<float> c(engine(), 3, 3);
  EXPECT_EQ(message_of([&] { multiply_into(c, a.transposed(), b); }),
            "multiply: a is 3 x 4 transposed and b is 5 x 2: the inner dimensions 3 and 5 differ");
  const Matrix<float> fitting(engine(), 4, 2);
  EXPECT_EQ(message_of([&] { multiply_into(c, a, fitting); }),
            "multiply: the product is 3 x 2 and c is 3 x 3");
}

TEST(MultiplyTest, RefusesMatricesThatWereMovedFrom) {
  Matrix<float> a(engine(), 2, 2);
  const Matrix<float> taken = std::move(a);
  EXPECT_THROW(multiply(a, Matrix<float>(engine(), 0, 0)),
               MatrixError);  // NOLINT: that is what is tested
}

TEST(MultiplyTest, RefusesOperandsOfAnotherContext) {
  const Engine other;
  const Matrix<float> a(engine(), 2, 2), b(other, 2, 2);
  EXPECT_THROW(a * b, ArgumentError);
  EXPECT_EQ((a.copy_to(other) * b).rows(), 2u);
}

TEST(MultiplyTest, BetaNeedsAMatrixToAdd) {
  const Matrix<float> a(engine(), 2, 2);
  EXPECT_THROW(multiply(a, a, {.beta = 1}), ArgumentError);
}

TEST(MultiplyTest, RefusesFactorsThatIntegersDoNotHold) {
  const Matrix<std::int32_t> a(engine(), {{1, 2}, {3, 4}});
  Matrix<std::int32_t> c(engine(), {{5, 6}, {7, 8}});
  EXPECT_EQ(message_of([&] { multiply_into(c, a, a, {.alpha = 0.5}); }),
            "multiply: alpha is 0.5; expected an integer of 32 bits");
  for (const Scalar factor : {Scalar(1.5), Scalar(2147483648.0), Scalar(kNaN)})
    EXPECT_THROW(multiply_into(c, a, a, {.beta = factor}), ArgumentError) << factor.real();
  EXPECT_EQ(c.to_host(), (std::vector<std::int32_t>{5, 6, 7, 8}));
  multiply_into(c, a, a, {.alpha = 0, .beta = -2.0});
  EXPECT_EQ(c.to_host(), (std::vector<std::int32_t>{-10, -12, -14, -16}));
}

TEST(MultiplyTest, SaysWhatRan) {
  const Matrix<float> a(engine(), 5, 5, std::vector<float>(25, 1));
  const auto named = multiply(a, a, {.kernel = {"tiled_static", {{"TILE", 8}}}});
  EXPECT_EQ(named.ran.variant(), "tiled_static");
  EXPECT_EQ(named.ran.parameters(), (Parameters{{"TILE", 8}}));
  EXPECT_EQ(named.ran.reason(), "named by the caller");
  const auto chosen = multiply(a, a);
  EXPECT_FALSE(chosen.ran.variant().empty());
  EXPECT_NE(chosen.ran.reason(), "named by the caller");
}

TEST(MultiplyTest, RefusesAnUnknownVariantAndListsThoseThereAre) {
  const Matrix<float> a(engine(), 2, 2);
  const std::string message = message_of([&] { multiply(a, a, {.kernel = {"tild", {}}}); });
  EXPECT_NE(message.find("no variant \"tild\"; there are: naive, row_tile"), std::string::npos)
      << message;
}

TEST(MultiplyTest, RefusesParametersByNameAndRule) {
  const Matrix<float> a(engine(), 2, 2);
  const auto message = [&](const KernelChoice& kernel) {
    return message_of([&] { multiply(a, a, {.kernel = kernel}); });
  };
  EXPECT_EQ(message({"tiled_static", {{"TILE", 7}}}),
            "multiply/tiled_static: TILE=7 is not one of 4, 8, 16, 32");
  EXPECT_EQ(message({"tiled_static", {{"EDGE", 8}}}),
            "multiply/tiled_static: no parameter EDGE; there are: TILE");
  EXPECT_THROW(multiply(a, a, {.kernel = {"", {{"TILE", 8}}}}), ArgumentError);
  EXPECT_EQ(message({"", {{"TILE", 8}}}),
            "multiply: parameters were given without the variant that they are for");
}

TEST(MultiplyTest, WaitsForEvents) {
  const Stream other = engine().new_stream();
  std::vector<float> elements(300 * 300);
  std::iota(elements.begin(), elements.end(), 0.0f);
  Matrix<float> a(other, 300, 300);
  const Event uploaded = a.upload_async(elements);
  Matrix<float> identity(engine(), 300, 300, [] {
    std::vector<float> diagonal(300 * 300);
    for (std::size_t i = 0; i < 300; i++) diagonal[i * 301] = 1;
    return diagonal;
  }());
  Matrix<float> c(engine(), 300, 300);
  const KernelRun run = multiply_into(c, a, identity, {.wait_for = {uploaded}});
  run.finished.wait();
  EXPECT_TRUE(run.finished.complete());
  EXPECT_EQ(c.to_host(), elements);
}

TEST(MultiplyTest, TimesAreThereWhenTheEngineProfiles) {
  const Engine profiling(EngineOptions{.profiling = true});
  const Matrix<float> a(profiling, 64, 64, std::vector<float>(64 * 64, 1));
  const auto timed = multiply(a, a).ran.seconds();
  ASSERT_TRUE(timed.has_value());
  EXPECT_GT(*timed, 0);
  const Matrix<float> b(engine(), 8, 8, std::vector<float>(64, 1));
  EXPECT_FALSE(multiply(b, b).ran.seconds().has_value());
}

TEST(MultiplyTest, ManyThreadsHaveAStreamEach) {
  constexpr std::size_t n = 128;
  const Matrix<float> a(engine(), n, n, std::vector<float>(n * n, 1));
  std::vector<std::vector<float>> results(4);
  {
    std::vector<std::jthread> threads;
    for (auto& result : results) {
      threads.emplace_back([&] {
        const Stream stream = engine().new_stream();
        Matrix<float> c(stream, n, n), d(stream, n, n);
        for (int turn = 0; turn < 12; turn++) {
          multiply_into(c, a, a, {.alpha = 1.0f / n});
          multiply_into(d, c, a, {.alpha = 1.0f / n});
        }
        result = d.to_host();
      });
    }
  }
  for (const auto& result : results) EXPECT_EQ(result, std::vector<float>(n * n, 1));
}

TEST(MultiplyTest, ManyThreadsShareAnEngine) {
  std::vector<std::string> failures(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < failures.size(); t++) {
      threads.emplace_back([&, t] {
        for (std::uint64_t turn = 0; turn < 12 && failures[t].empty(); turn++) {
          const CheckCase product{.problem = {.m = 40 + t, .n = 50, .k = 300 + turn, .beta = 1},
                                  .strided = true,
                                  .seed = 10 * t + turn};
          failures[t] = check(engine(), product).failure;
        }
      });
    }
  }
  for (const std::string& failure : failures) EXPECT_EQ(failure, "");
}

TEST(MultiplyTest, MatricesOutliveTheirEngine) {
  auto c = [] {
    const Engine short_lived;
    const Matrix<float> a(short_lived, {{2}});
    return a * a;
  }();
  EXPECT_EQ((c * c).to_host(), std::vector<float>{16});
}

}  // namespace
}  // namespace tessera::test
