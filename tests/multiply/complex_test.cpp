// Complex products: views, factors, and what is refused.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/message_of.hpp"

namespace tessera::test {
namespace {

using Complex = std::complex<float>;
using Elements = std::vector<Complex>;

constexpr std::array kOps = {Op::none, Op::transpose, Op::conjugate_transpose, Op::conjugate};

ConstMatrixView<Complex> viewed(const ConstMatrixView<Complex>& of, Op op) {
  switch (op) {
    case Op::transpose: return of.transposed();
    case Op::conjugate_transpose: return of.adjoint();
    case Op::conjugate: return of.conjugated();
    default: return of;
  }
}

/// A row-major matrix on the host.
struct HostElements {
  std::size_t rows, columns;
  Elements elements;
};

HostElements viewed(const HostElements& of, Op op) {
  HostElements made = of;
  if (is_transposed(op)) std::swap(made.rows, made.columns);
  for (std::size_t i = 0; i < made.rows; i++) {
    for (std::size_t j = 0; j < made.columns; j++) {
      const Complex element =
          of.elements[is_transposed(op) ? j * of.columns + i : i * of.columns + j];
      made.elements[i * made.columns + j] = is_conjugated(op) ? std::conj(element) : element;
    }
  }
  return made;
}

TEST(ComplexTest, ViewsCompose) {
  const HostElements host{2, 3, {{1, 2}, {3, -4}, {5, 6}, {-7, 8}, {9, 0}, {0, 11}}};
  const Matrix<Complex> a(engine(), 2, 3, host.elements);
  for (const Op first : kOps) {
    for (const Op second : kOps) {
      for (const Op third : kOps) {
        const auto view = viewed(viewed(viewed(a, first), second), third);
        const auto expected = viewed(viewed(viewed(host, first), second), third);
        ASSERT_EQ(view.rows(), expected.rows);
        EXPECT_EQ(view.to_host(), expected.elements)
            << to_string(first) << ", " << to_string(second) << ", " << to_string(third);
        EXPECT_EQ(Matrix<Complex>(view).to_host(), expected.elements);
        EXPECT_EQ(view.block(1, 0, 1, 2).to_host(),
                  (Elements{expected.elements[expected.columns],
                            expected.elements[expected.columns + 1]}));
      }
    }
  }
}

TEST(ComplexTest, ConjugatesOfRealElementsAreTheElements) {
  const Matrix<float> a(engine(), {{1, 2}, {3, 4}});
  EXPECT_EQ(a.conjugated().op(), Op::none);
  EXPECT_EQ(a.adjoint().op(), Op::transpose);
}

TEST(ComplexTest, EveryViewIsMultiplied) {
  // [1+2i 3; -i 4-i] and [2 i; 1+i -3].
  const Matrix<Complex> a(engine(), {{{1, 2}, 3}, {{0, -1}, {4, -1}}});
  const Matrix<Complex> b(engine(), {{2, {0, 1}}, {{1, 1}, -3}});
  EXPECT_EQ((a * b).to_host(), (Elements{{5, 7}, {-11, 1}, {5, 1}, {-11, 3}}));
  // a^H = [1-2i i; 3 4+i]
  EXPECT_EQ((a.adjoint() * b).to_host(), (Elements{{1, -3}, {2, -2}, {9, 5}, {-12, 0}}));
  // b^H = [2 1-i; -i -3]
  EXPECT_EQ((a * b.adjoint()).to_host(), (Elements{{2, 1}, {-6, 1}, {-1, -6}, {-13, 2}}));
  EXPECT_EQ((a.conjugated() * b.transposed()).to_host(),
            (Elements{{2, -1}, {-6, -1}, {-1, 6}, {-13, -2}}));
  EXPECT_EQ((a.transposed() * b.conjugated()).to_host(),
            (Elements{{1, 3}, {2, 2}, {9, -5}, {-12, 0}}));
}

TEST(ComplexTest, AlphaAndBetaAreComplex) {
  const Matrix<Complex> a(engine(), {{{1, 1}, {0, 2}}}), b(engine(), {{3}, {{1, -1}}});
  // The sum is 5 + 5i.
  Matrix<Complex> c(engine(), {{Complex(2, 3)}});
  multiply_into(c, a, b, {.alpha = Complex(0, 2), .beta = Complex(1, -1)});
  EXPECT_EQ(c.to_host(), Elements{Complex(-5, 11)});
  multiply_into(c, a, b, {.alpha = 2, .beta = std::complex(0.0, 1.0)});
  EXPECT_EQ(c.to_host(), Elements{Complex(-1, 5)});
}

TEST(ComplexTest, AConjugatedBlockWithAPitchIsMultiplied) {
  Elements elements(7 * 9);
  for (std::size_t i = 0; i < elements.size(); i++)
    elements[i] = {static_cast<float>(i % 5), static_cast<float>(i % 3) - 1};
  const Matrix<Complex> large(engine(), 7, 9, elements);
  const auto a = large.block(1, 2, 4, 5).conjugated(), b = large.block(2, 3, 5, 3).adjoint();
  const auto c = multiply(a, b.adjoint()).to_host();
  for (std::size_t i = 0; i < 4; i++) {
    for (std::size_t j = 0; j < 3; j++) {
      Complex expected = 0;
      for (std::size_t p = 0; p < 5; p++)
        expected += std::conj(elements[(1 + i) * 9 + 2 + p]) * elements[(2 + p) * 9 + 3 + j];
      EXPECT_EQ(c[i * 3 + j], expected) << i << ", " << j;
    }
  }
}

TEST(ComplexTest, ARealFactorScalesEachPart) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Matrix<Complex> a(engine(), 1, 0), b(engine(), 0, 1);
  Matrix<Complex> c(engine(), {{Complex(infinity, 2)}});
  multiply_into(c, a, b, {.beta = 3});
  EXPECT_EQ(c.to_host(), Elements{Complex(infinity, 6)});
  multiply_into(c, a, b, {.beta = Complex(0, 1)});
  EXPECT_TRUE(std::isnan(c.to_host()[0].real()));
}

TEST(ComplexTest, DoublesBatchesAndPlans) {
  if (!engine().device().has_double) GTEST_SKIP() << "the device has no double";
  using Wide = std::complex<double>;
  const Matrix<Wide> a(engine(), {{{1, 1}}, {{0, 1}}}), b(engine(), {{3}, {{1, -2}}});
  Matrix<Wide> c(engine(), 2, 1);
  multiply_batched_into(batch_of(c, 2), batch_of(a, 2).conjugated(), batch_of(b, 2).adjoint());
  EXPECT_EQ(c.to_host(), (std::vector<Wide>{{3, -3}, {2, -1}}));
  const Plan plan = plan_multiply(c.block(0, 0, 1, 1), a.adjoint(), b);
  plan.run(c.block(0, 0, 1, 1), a.adjoint(), b, {.alpha = Wide(0, 1)});
  EXPECT_EQ(c.to_host()[0], Wide(4, 1));
  EXPECT_EQ(message_of([&] { plan.run(c.block(0, 0, 1, 1), a.transposed(), b); }),
            "Plan::run: the operands need a plan for matrix_vector complex128 1 x 2, a transposed; "
            "this one is for matrix_vector complex128 1 x 2, a conjugate-transposed");
}

TEST(ComplexTest, VerifyTellsAConjugateFromTheElement) {
  const Elements a = {{1, 2}, {3, 4}}, b = {{5, -6}, {7, 8}}, c = {{6, 56}};
  HostProduct<Complex> product{1, 1, 2, a, b, {}, c};
  EXPECT_TRUE(verify_multiply(product).passed());
  EXPECT_EQ(verify_multiply(product).elements, 1u);
  product.op_b = Op::conjugate;
  EXPECT_FALSE(verify_multiply(product).passed());
  const Elements conjugated = {{46, 20}};
  product.c = conjugated;
  EXPECT_TRUE(verify_multiply(product).passed());
  const Elements wrong_part = {{46, 20.01F}};
  product.c = wrong_part;
  EXPECT_FALSE(verify_multiply(product).passed());
}

TEST(ComplexTest, VerifySeesErrorsWhereImaginaryPartsAreZero) {
  const Elements a = {1, 2}, b = {3, 4}, wrong = {11.01F};
  EXPECT_FALSE(verify_multiply(HostProduct<Complex>{1, 1, 2, a, b, {}, wrong}).passed());
}

TEST(ComplexTest, ProblemsKeepTheirFactorsAndOps) {
  const Problem problem{.types = ElementType::complex64,
                        .op_a = Op::conjugate,
                        .op_b = Op::conjugate_transpose,
                        .alpha = std::complex(1.5, -2.0),
                        .beta = 3};
  EXPECT_EQ(problem_from_json(to_json(problem)), problem);
  EXPECT_EQ(describe(problem),
            "multiply complex64 1 x 1 x 1, a conjugated, b conjugate-transposed, alpha 1.5-2i, "
            "beta 3");
}

TEST(ComplexTest, RefusesImaginaryFactorsOfRealProducts) {
  const Matrix<float> a(engine(), {{1}});
  EXPECT_EQ(message_of([&] { multiply(a, a, {.alpha = Complex(1, 2)}); }),
            "multiply: alpha is 1+2i; expected a real number for matrices of float");
  EXPECT_NO_THROW(multiply(a, a, {.alpha = Complex(2, 0)}));
}

TEST(ComplexTest, RefusesWhatItDoesNotServe) {
  Matrix<Complex> a(engine(), {{1, 2}, {3, 4}});
  Elements host(4);
  const auto view = HostView<Complex>(host.data(), 2, 2);
  const std::string conjugated = "the view is conjugated; copy it to a matrix first";
  EXPECT_EQ(message_of([&] { copy_into(a, Matrix<Complex>(a).conjugated()); }),
            "copy_into: from is a conjugated view; copy it to a matrix first");
  EXPECT_EQ(message_of([&] { a.conjugated().to_host_async(host); }),
            "to_host_async: " + conjugated);
  EXPECT_EQ(message_of([&] { a.to_host(view.adjoint().transposed()); }),
            "a transfer: the view of host memory is conjugated; conjugate the matrix's");
  EXPECT_EQ(message_of([&] { multiply_host(view, view.adjoint(), view); }),
            "multiply_host: c has elements in common with a");
  Elements other(4);
  const auto c = HostView<Complex>(other.data(), 2, 2);
  EXPECT_EQ(message_of([&] { multiply_host(c.adjoint().transposed(), view, view); }),
            "multiply_host: c is a conjugated view");
  EXPECT_EQ(message_of([&] {
              multiply(a, a, {.kernel = {"row_tile", {}}});
            }),
            "multiply/row_tile: it is not for complex64");
}

}  // namespace
}  // namespace tessera::test
