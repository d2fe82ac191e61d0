// add, fill and the operators: which operands are added, in every layout, and which are refused.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <tessera/check.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/message_of.hpp"
#include "support/type_name.hpp"

namespace tessera::test {
namespace {

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

class AddVariantTest : public testing::TestWithParam<ProductTypes> {};

TEST_P(AddVariantTest, EveryCaseIsRightWithEveryParameter) {
  std::size_t checked = 0;
  for (const VariantInfo& variant : info_of("add").variants) {
    if (const Verdict verdict = variant.runs_on(engine(), GetParam()); !verdict)
      GTEST_SKIP() << verdict.reason;
    const auto sets = variant.configurations(engine(), GetParam(), Coverage::every_candidate);
    for (const Parameters& parameters : sets) {
      for (const CheckCase& one :
           check_cases("add", GetParam(), parameters, parameters == sets.front())) {
        const CheckResult result = check(engine(), one, {variant.name(), parameters});
        EXPECT_EQ(result.failure, "") << describe(one);
        checked += result.verification.elements;
      }
    }
  }
  EXPECT_GT(checked, 0u);
}

INSTANTIATE_TEST_SUITE_P(Elementwise, AddVariantTest, testing::ValuesIn(info_of("add").types),
                         [](const auto& test) { return type_name(test.param); });

TEST(AddTest, ScalesEachTerm) {
  const Matrix<float> a(engine(), {{1, 2, 3}, {4, 5, 6}}), b(engine(), {{1, 1, 1}, {2, 2, 2}});
  EXPECT_EQ(add(a, b, {.alpha = 2, .beta = -3, .constant = 0.5f}).to_host(),
            (std::vector<float>{-0.5f, 1.5f, 3.5f, 2.5f, 4.5f, 6.5f}));
  EXPECT_EQ((a + b).to_host(), (std::vector<float>{2, 3, 4, 6, 7, 8}));
  EXPECT_EQ((a - b).to_host(), (std::vector<float>{0, 1, 2, 2, 3, 4}));
  EXPECT_EQ((a * 2).to_host(), (std::vector<float>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ((0.5 * a).to_host(), (std::vector<float>{0.5f, 1, 1.5f, 2, 2.5f, 3}));
}

TEST(AddTest, WorksInPlace) {
  Matrix<float> c(engine(), {{1, 2}, {3, 4}});
  const Matrix<float> x(engine(), {{1, 1}, {2, 2}});
  add_into(c, c, x, {.beta = 10});
  EXPECT_EQ(c.to_host(), (std::vector<float>{11, 12, 23, 24}));
  add_into(c, x, c, {.beta = -1});
  EXPECT_EQ(c.to_host(), (std::vector<float>{-10, -11, -21, -22}));
  add_into(c, c, c);
  EXPECT_EQ(c.to_host(), (std::vector<float>{-20, -22, -42, -44}));
}

TEST(AddTest, ARowAColumnOrAnElementCountsForAll) {
  const Matrix<double> a(engine(), {{1, 2, 3}, {4, 5, 6}}), row(engine(), {{10, 20, 30}}),
      column(engine(), {{100}, {200}}), element(engine(), {{0.5}});
  EXPECT_EQ((a + row).to_host(), (std::vector<double>{11, 22, 33, 14, 25, 36}));
  EXPECT_EQ((column + a).to_host(), (std::vector<double>{101, 102, 103, 204, 205, 206}));
  EXPECT_EQ((a + element).to_host(), (std::vector<double>{1.5, 2.5, 3.5, 4.5, 5.5, 6.5}));
  EXPECT_EQ((column + row).to_host(), (std::vector<double>{110, 120, 130, 210, 220, 230}));
  // A tall matrix, whose columns are processed as rows.
  Matrix<double> tall(engine(), 40, 3, std::vector<double>(120, 1));
  add_into(tall.block(0, 0, 40, 2), tall.block(0, 0, 40, 2), row.block(0, 1, 1, 2));
  const auto sums = tall.to_host();
  for (std::size_t i = 0; i < 40; i++) {
    EXPECT_EQ(sums[3 * i], 21);
    EXPECT_EQ(sums[3 * i + 1], 31);
    EXPECT_EQ(sums[3 * i + 2], 1);
  }
}

TEST(AddTest, VectorsOfAnyLayout) {
  for (const std::size_t n : {1U, 15U, 16U, 300U, 70000U}) {
    Matrix<float> wide(engine(), n, 3, std::vector<float>(3 * n, 1)), dense(engine(), n, 1);
    fill(dense, 2);
    const auto column = wide.block(0, 1, n, 1);
    add_into(column, column, dense, {.alpha = 3});
    std::vector<float> expected(3 * n, 1);
    for (std::size_t i = 0; i < n; i++) expected[3 * i + 1] = 5;
    EXPECT_EQ(wide.to_host(), expected) << n;
  }
}

TEST(AddTest, MoreRowsThanADimensionHasWorkGroups) {
  const std::size_t rows = 70000, columns = 17;
  Matrix<float> c(engine(), rows, columns + 1, std::vector<float>(rows * (columns + 1), 1));
  add_into(c.block(0, 0, rows, columns), c.block(0, 0, rows, columns), c.block(0, columns, 1, 1),
           {.alpha = 2});
  const auto found = c.to_host();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); i++)
    wrong += found[i] != (i % (columns + 1) == columns ? 1 : 3);
  EXPECT_EQ(wrong, 0u);
}

TEST(AddTest, AtZeroATermIsNotRead) {
  const Matrix<float> a(engine(), {{kNotANumber, INFINITY}}), b(engine(), {{1, 2}});
  EXPECT_EQ(add(a, b, {.alpha = 0}).to_host(), (std::vector<float>{1, 2}));
  EXPECT_EQ(add(b, a, {.beta = 0}).to_host(), (std::vector<float>{1, 2}));
}

TEST(AddTest, NotANumberAndInfinityAndSignedZeroGoOn) {
  const Matrix<float> a(engine(), {{kNotANumber, INFINITY, -0.0f}}), zero(engine(), {{0, 0, 0}});
  const auto sum = (a + zero).to_host(), same = (a * 1).to_host(), twice = (a + a).to_host();
  EXPECT_TRUE(std::isnan(sum[0]));
  EXPECT_EQ(sum[1], INFINITY);
  EXPECT_FALSE(std::signbit(sum[2])) << "-0 + 0 is 0";
  EXPECT_TRUE(std::signbit(same[2]));
  EXPECT_TRUE(std::signbit(twice[2])) << "-0 + -0 is -0";
}

TEST(AddTest, IntegersAreExactModulo32Bits) {
  constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
  const Matrix<std::int32_t> a(engine(), {{kLargest, -7}}), one(engine(), {{1, 1}});
  EXPECT_EQ((a + one).to_host(), (std::vector<std::int32_t>{-kLargest - 1, -6}));
  EXPECT_EQ((a * 3).to_host(), (std::vector<std::int32_t>{kLargest - 2, -21}));
}

TEST(AddTest, RefusesFactorsThatIntegersDoNotHold) {
  Matrix<std::int32_t> a(engine(), {{1, 2}});
  EXPECT_EQ(message_of([&] { add(a, a, {.beta = 0.5}); }),
            "add: beta is 0.5; expected an integer of 32 bits");
  EXPECT_THROW(add(a, a, {.alpha = 3e9}), ArgumentError);
  EXPECT_THROW(fill(a, 1.5), ArgumentError);
  EXPECT_EQ(a.to_host(), (std::vector<std::int32_t>{1, 2}));
}

TEST(AddTest, TakesTransposes) {
  const Matrix<float> a(engine(), {{1, 2, 3}, {4, 5, 6}}), row(engine(), {{10, 20, 30}});
  Matrix<float> c(engine(), {{1, 1}, {2, 2}, {3, 3}});
  add_into(c, a.transposed(), c, {.beta = 100});
  EXPECT_EQ(c.to_host(), (std::vector<float>{101, 104, 202, 205, 303, 306}));
  EXPECT_EQ((a.transposed() + row.transposed()).to_host(),
            (std::vector<float>{11, 14, 22, 25, 33, 36}));
  Matrix<float> square(engine(), {{1, 2}, {3, 4}});
  EXPECT_EQ(message_of([&] { add_into(square, square, square.transposed()); }),
            "add: c and b have elements in common");
}

TEST(AddTest, HalvesAreSummedInFloat) {
  const Matrix<half> a(engine(), {{half(2048), half(1)}}), b(engine(), {{half(1), half(0.5f)}});
  EXPECT_EQ(add(a, b, {.constant = 1}).to_host(), (std::vector<half>{half(2050), half(2.5f)}));
}

TEST(AddTest, FillsBlocks) {
  Matrix<float> c(engine(), 3, 4);
  fill(c, 1);
  fill(c.block(1, 1, 2, 2), kNotANumber);
  const auto found = c.to_host();
  for (std::size_t i = 0; i < 12; i++) {
    const bool inside = i / 4 >= 1 && i % 4 >= 1 && i % 4 <= 2;
    EXPECT_TRUE(inside ? std::isnan(found[i]) : found[i] == 1) << i;
  }
  Matrix<half> halves(engine(), 1, 2);
  EXPECT_EQ(fill(halves, half(-0.0f)).operation(), "add");
  EXPECT_EQ(halves.to_host()[0].bits(), half(-0.0f).bits());
}

TEST(AddTest, ComplexElementsFactorsAndConjugates) {
  using Complex = std::complex<float>;
  const Matrix<Complex> a(engine(), {{{1, 2}, {3, -4}}}), b(engine(), {{{0, 1}}, {5}});
  Matrix<Complex> c(engine(), 1, 2);
  add_into(c, a.conjugated(), b.adjoint(),
           {.alpha = Complex(0, 1), .beta = 2, .constant = Complex(10, 20)});
  EXPECT_EQ(c.to_host(), (std::vector<Complex>{{12, 19}, {16, 23}}));
  EXPECT_EQ((a * Complex(0, 1) - a).to_host(), (std::vector<Complex>{{-3, -1}, {1, 7}}));
  fill(c, Complex(1, -1));
  EXPECT_EQ(c.to_host(), (std::vector<Complex>{{1, -1}, {1, -1}}));
  EXPECT_EQ(message_of([&] { fill(Matrix<float>(engine(), 1, 1), Complex(0, 1)); }),
            "add: constant is 0+1i; expected a real number for matrices of float");
}

TEST(AddTest, WithoutElementsNothingRuns) {
  Matrix<float> c(engine(), 0, 3);
  EXPECT_EQ(add_into(c, c, Matrix<float>(engine(), 1, 3)).variant(), "");
  EXPECT_EQ(add(c, c).rows(), 0u);
  EXPECT_THROW(add_into(c, c, c, {.kernel = {"no_such", {}}}), ArgumentError);
}

TEST(AddTest, StandsInOrderWithOtherStreamsAndWaits) {
  const Stream two = engine().new_stream();
  const std::vector<float> ones(64 * 64, 1);
  Matrix<float> a(engine(), 64, 64), c(engine(), 64, 64);
  const Event uploaded = a.upload_async(ones);
  const auto product = multiply(a, a);  // 64
  const KernelRun run =
      add_into(c, product, a, {.beta = 2, .wait_for = {product.ran.finished}, .stream = two});
  EXPECT_EQ(multiply(c, a).to_host(), std::vector<float>(64 * 64, 64 * 66));
  run.finished.wait();
  EXPECT_EQ(run.operation(), "add");
  uploaded.wait();
}

TEST(AddTest, RefusesWhatDoesNotFit) {
  Matrix<float> a(engine(), {{1, 2}, {3, 4}}), c(engine(), 3, 2);
  EXPECT_EQ(
      message_of([&] { add_into(c, a, a); }),
      "add: a is 2 x 2 and c is 3 x 2; expected c's shape, one row, one column or one element");
  EXPECT_EQ(
      message_of([&] { add(a, c); }),
      "add: b is 3 x 2 and c is 2 x 2; expected c's shape, one row, one column or one element");
  EXPECT_EQ(message_of([&] { add_into(c.block(0, 0, 2, 2), c.block(1, 0, 2, 2), a); }),
            "add: c and a have elements in common");
  EXPECT_EQ(message_of([&] { add_into(a, a, a.block(0, 0, 1, 2)); }),
            "add: c and b have elements in common");
  Matrix<float> gone(engine(), 2, 2);
  const Matrix<float> moved = std::move(gone);
  EXPECT_EQ(message_of([&] { add(gone, a); }),
            "add: a has no memory: it is default-constructed or was moved from");
  const Engine other(EngineOptions{.device = engine().device().selector});
  EXPECT_THROW(add(a, Matrix<float>(other, 2, 2)), ArgumentError);
  EXPECT_THROW(add(a, a, {.stream = other.stream()}), ArgumentError);
  EXPECT_EQ(a.to_host(), (std::vector<float>{1, 2, 3, 4}));
}

// A factor is not cut to an integer.
template <class M, class S>
concept Scalable = requires(const M& matrix, S factor) {
  matrix* factor;
};
static_assert(Scalable<Matrix<std::int32_t>, int> && !Scalable<Matrix<std::int32_t>, double>);
static_assert(Scalable<Matrix<float>, double> && Scalable<Matrix<half>, int>);

}  // namespace
}  // namespace tessera::test
