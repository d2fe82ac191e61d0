// Complex products that are computed as real ones, against a kernel for complex elements. CPUs
// compute real forms, too, although the library chooses them for other devices only.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstddef>
#include <tessera/tessera.hpp>
#include <vector>

#include "multiply/run.hpp"
#include "multiply/table.hpp"
#include "runtime/stream.hpp"
#include "support/device.hpp"

namespace tessera::test {
namespace {

// Large enough for the library to choose a real form.
constexpr std::size_t kHeight = 33, kWidth = 35, kInner = 37;

constexpr std::array kAllOps = {Op::none, Op::transpose, Op::conjugate_transpose, Op::conjugate};

/// Small integers, whose products are exact in any order.
template <class T>
std::vector<std::complex<T>> complex_integers(std::size_t count, std::size_t seed) {
  std::vector<std::complex<T>> values(count);
  for (std::size_t i = 0; i < count; i++) {
    const std::size_t bits = (i + seed) * 2654435761U >> 7U;
    values[i] = {static_cast<T>(bits % 9) - 4, static_cast<T>(bits / 9 % 7) - 3};
  }
  return values;
}

template <class T>
ConstMatrixView<T> inner(const Matrix<T>& of, Op op) {
  const ConstMatrixView<T> all = of.block(0, 1, of.rows(), of.columns() - 2);
  const ConstMatrixView<T> turned = is_transposed(op) ? all.transposed() : all;
  return is_conjugated(op) ? turned.conjugated() : turned;
}

/// Computes the product as a real one if `options` name no kernel.
KernelRun run(const detail::Batch& c, const detail::Batch& a, const detail::Batch& b,
              const MultiplyOptions& options) {
  if (options.kernel != KernelChoice{}) return detail::multiply_batched_into(c, a, b, options);
  return multiplication::run_as_real(multiplication::multiply_table(), runtime::stream_of(engine()),
                                     multiplication::make_call(c, a, b, options));
}

/// Random operands, in blocks that begin between multiples of 16 bytes.
template <class T>
struct ComplexOperands {
  using Element = std::complex<T>;
  Matrix<Element> a, b;
  Op op_a, op_b;

  ComplexOperands(Op first, Op second)
      : a(stored(first, kHeight, kInner, 1)),
        b(stored(second, kInner, kWidth, 2)),
        op_a(first),
        op_b(second) {}

  static Matrix<Element> stored(Op op, std::size_t rows, std::size_t columns, std::size_t seed) {
    if (is_transposed(op)) std::swap(rows, columns);
    return {engine(), rows, columns + 2, complex_integers<T>(rows * (columns + 2), seed)};
  }

  /// C after a product, and the kernel that ran.
  std::pair<std::vector<Element>, KernelRun> product(const MultiplyOptions& options) const {
    Matrix<Element> c(engine(), kHeight, kWidth + 3,
                      complex_integers<T>(kHeight * (kWidth + 3), 3));
    auto ran = run({detail::operand(c.block(0, 2, kHeight, kWidth))},
                   {detail::operand(inner(a, op_a))}, {detail::operand(inner(b, op_b))}, options);
    return {c.to_host(), ran};
  }
};

template <class T>
void expect_the_same_as_naive() {
  for (const Op op_a : kAllOps) {
    for (const Op op_b : kAllOps) {
      const ComplexOperands<T> operands(op_a, op_b);
      for (const Scalar alpha : {Scalar(1), Scalar(std::complex(2.0, -1.0))}) {
        for (const Scalar beta : {Scalar(0), Scalar(3), Scalar(std::complex(1.0, 2.0))}) {
          MultiplyOptions options{.alpha = alpha, .beta = beta};
          const auto [c, ran] = operands.product(options);
          options.kernel = {"naive"};
          EXPECT_EQ(c, operands.product(options).first)
              << to_string(op_a) << ", " << to_string(op_b) << ", alpha " << to_string(alpha)
              << ", beta " << to_string(beta);
          EXPECT_NE(ran.variant(), "naive");
        }
      }
    }
  }
}

TEST(AsRealTest, EveryViewAndFactorIsRight) { expect_the_same_as_naive<float>(); }

TEST(AsRealTest, DoublesAreRight) {
  if (!engine().device().has_double) GTEST_SKIP() << "the device has no double";
  expect_the_same_as_naive<double>();
}

TEST(AsRealTest, IsForDevicesOtherThanCpus) {
  const Problem problem{.types = ElementType::complex64, .m = kHeight, .n = kWidth, .k = kInner};
  DeviceCapabilities device;
  device.max_allocation = device.global_memory = std::size_t{1} << 30;
  device.type = DeviceType::gpu;
  EXPECT_TRUE(multiplication::runs_as_real(problem, device));
  device.type = DeviceType::cpu;
  EXPECT_FALSE(multiplication::runs_as_real(problem, device));
}

TEST(AsRealTest, PlansRunAgainWithOtherFactors) {
  using Element = std::complex<float>;
  const ComplexOperands<float> operands(Op::conjugate_transpose, Op::none);
  const auto a = inner(operands.a, operands.op_a), b = inner(operands.b, operands.op_b);
  Matrix<Element> c(engine(), kHeight, kWidth), expected(engine(), kHeight, kWidth);
  const Plan plan = plan_multiply(c, a, b);
  EXPECT_EQ(plan.problem().types.a, ElementType::complex64);
  EXPECT_NE(plan.variant(), "tiled_static");
  // By the real form for its copies, and by packed, on CPUs, for its panels.
  EXPECT_GT(plan.scratch_bytes(), sizeof(Element) * 2 * kInner * kWidth);
  for (const Scalar alpha : {Scalar(1), Scalar(std::complex(0.0, 1.0)), Scalar(0)}) {
    c.upload(complex_integers<float>(kHeight * kWidth, 4));
    expected.upload(complex_integers<float>(kHeight * kWidth, 4));
    const Scalar beta = std::complex(2.0, 1.0);
    plan.run(c, a, b, {.alpha = alpha, .beta = beta});
    multiply_into(expected, a, b, {.alpha = alpha, .beta = beta, .kernel = {"naive"}});
    EXPECT_EQ(c.to_host(), expected.to_host()) << to_string(alpha);
  }
}

TEST(AsRealTest, ALargeAlphaDoesNotOverflow) {
  using Element = std::complex<float>;
  const Matrix<Element> a(engine(), kHeight, kInner,
                          std::vector<Element>(kHeight * kInner, 1e-30F)),
      b(engine(), kInner, kWidth, std::vector<Element>(kInner * kWidth, 1e20F));
  Matrix<Element> c(engine(), kHeight, kWidth);
  run({detail::operand(c)}, {detail::operand(a)}, {detail::operand(b)},
      {.alpha = Element(0, 1e30F)});
  for (const Element& element : c.to_host()) {
    EXPECT_EQ(element.real(), 0);
    EXPECT_NEAR(element.imag(), kInner * 1e20, 1e15);
  }
}

TEST(AsRealTest, BatchesAreRight) {
  using Element = std::complex<float>;
  constexpr std::size_t kCount = 3;
  const Matrix<Element> a(engine(), kCount * kHeight, kInner,
                          complex_integers<float>(kCount * kHeight * kInner, 1)),
      b(engine(), kCount * kWidth, kInner, complex_integers<float>(kCount * kWidth * kInner, 2));
  Matrix<Element> c(engine(), kCount * kHeight, kWidth),
      expected(engine(), kCount * kHeight, kWidth);
  const auto blocks = [](const Matrix<Element>& of, Op op) {
    detail::Batch batch = detail::batch_of(detail::operand(of), kCount);
    batch.first = detail::viewed(batch.first, op);
    return batch;
  };
  const auto product = [&](Matrix<Element>& to, const KernelChoice& kernel) {
    run(blocks(to, Op::none), blocks(a, Op::none), blocks(b, Op::conjugate_transpose),
        {.kernel = kernel});
    return to.to_host();
  };
  EXPECT_EQ(product(c, {}), product(expected, {"naive"}));
}

}  // namespace
}  // namespace tessera::test
