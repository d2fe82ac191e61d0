// Products of int8: sums of 32 bits, exact modulo 2^32, by every kernel that takes them.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <tessera/check.hpp>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <type_traits>
#include <vector>

#include "support/device.hpp"
#include "support/message_of.hpp"
#include "support/transposed_if.hpp"

namespace tessera::test {
namespace {

using Bytes = std::vector<std::int8_t>;
using Words = std::vector<std::int32_t>;

static_assert(std::is_same_v<ProductElement<std::int8_t>, std::int32_t>);
static_assert(std::is_same_v<ProductElement<half>, half>);

/// All variants that run for int8.
std::vector<std::string> variants() {
  std::vector<std::string> names;
  for (const VariantInfo& variant : info_of("multiply").variants) {
    if (variant.runs_on(engine(), ElementType::int8)) names.push_back(variant.name());
  }
  return names;
}

Bytes random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Bytes elements(count);
  for (std::int8_t& element : elements) element = static_cast<std::int8_t>(random());
  return elements;
}

std::int32_t wrapped(std::int64_t number) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(number));
}

TEST(Int8Test, MultipliesIntoInt32) {
  const Matrix<std::int8_t> a(engine(), {{100, -128, 3}, {4, 127, 6}});
  const Matrix<std::int8_t> b(engine(), {{100, 8}, {-128, 10}, {11, -12}});
  const Matrix<std::int32_t> c = a * b;
  EXPECT_EQ(c.to_host(), (Words{26417, -516, -15790, 1230}));
}

TEST(Int8Test, TakesTransposesAlphaAndBeta) {
  const Matrix<std::int8_t> a(engine(), {{1, 2, 3}, {4, -5, 6}});
  Matrix<std::int32_t> c(engine(), {{1000000, 0}, {0, -1000000}});
  multiply_into(c, a, a.transposed(), {.alpha = 100000, .beta = -3});
  EXPECT_EQ(c.to_host(), (Words{-1600000, 1200000, 1200000, 10700000}));
  EXPECT_EQ(multiply(a.transposed(), a).to_host(), (Words{17, -18, 27, -18, 29, -24, 27, -24, 45}));
}

TEST(Int8Test, EveryKernelSumsTheLargestProductsThatFit) {
  constexpr std::size_t k = 70000;
  const Matrix<std::int8_t> a(engine(), 3, k, Bytes(3 * k, -128)),
      b(engine(), k, 5, Bytes(5 * k, -128));
  for (const std::string& variant : variants())
    EXPECT_EQ(multiply(a, b, {.kernel = {variant, {}}}).to_host(), Words(15, 1146880000))
        << variant;
  EXPECT_GE(variants().size(), 5U);
}

TEST(Int8Test, EveryKernelWrapsAround) {
  constexpr std::size_t k = 200000;
  constexpr std::int64_t sum = std::int64_t{k} * 128 * 128;
  static_assert(sum > std::int64_t{1} << 31);
  const Matrix<std::int8_t> a(engine(), k, 3, Bytes(3 * k, -128)),
      b(engine(), 5, k, Bytes(5 * k, -128));
  for (const std::string& variant : variants()) {
    Matrix<std::int32_t> c(engine(), 3, 5, Words(15, 1999999999));
    multiply_into(c, a.transposed(), b.transposed(),
                  {.alpha = 3, .beta = -5, .kernel = {variant, {}}});
    EXPECT_EQ(c.to_host(), Words(15, wrapped(3 * sum - 5 * std::int64_t{1999999999}))) << variant;
    EXPECT_EQ(multiply(a.transposed(), b.transposed(), {.kernel = {variant, {}}}).to_host(),
              Words(15, wrapped(sum)))
        << variant;
  }
}

/// Against plain loops of 64 bits, whatever verify_multiply may say.
TEST(Int8Test, EveryKernelMultipliesBlocksOfOddSizesAndPlaces) {
  constexpr std::size_t m = 37, n = 71, k = 45, width = 101, rows = 80;
  const Bytes elements = random_bytes(rows * width, 3);
  const Matrix<std::int8_t> all(engine(), rows, width, elements);
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      const auto a = all.block(3, 5, transpose_a ? k : m, transpose_a ? m : k);
      const auto b = all.block(7, 9, transpose_b ? n : k, transpose_b ? k : n);
      Words expected((m + 2) * (n + 3), -77);
      for (std::size_t i = 0; i < m; i++) {
        for (std::size_t j = 0; j < n; j++) {
          std::int64_t sum = 0;
          for (std::size_t p = 0; p < k; p++) {
            const std::size_t in_a =
                                  transpose_a ? (3 + p) * width + 5 + i : (3 + i) * width + 5 + p,
                              in_b =
                                  transpose_b ? (7 + j) * width + 9 + p : (7 + p) * width + 9 + j;
            sum += std::int64_t{elements[in_a]} * elements[in_b];
          }
          expected[(i + 1) * (n + 3) + 2 + j] = wrapped(12345678 * sum - 2 * std::int64_t{-77});
        }
      }
      for (const std::string& variant : variants()) {
        Matrix<std::int32_t> c(engine(), m + 2, n + 3, Words((m + 2) * (n + 3), -77));
        multiply_into(c.block(1, 2, m, n), transposed_if(transpose_a, a),
                      transposed_if(transpose_b, b),
                      {.alpha = 12345678, .beta = -2, .kernel = {variant, {}}});
        EXPECT_EQ(c.to_host(), expected) << variant << " " << transpose_a << transpose_b;
      }
    }
  }
}

TEST(Int8Test, AVectorTakesTheSamePath) {
  const Matrix<std::int8_t> a(engine(), {{1, -2}, {3, 4}}), x(engine(), {{-128}, {127}});
  const auto column = multiply(a, x);
  EXPECT_EQ(column.ran.operation(), "multiply") << "matrix_vector has no int8";
  EXPECT_EQ(column.to_host(), (Words{-382, 124}));
  const auto row = multiply(x.transposed(), a);
  EXPECT_EQ(row.ran.operation(), "multiply");
  EXPECT_EQ(row.to_host(), (Words{253, 764}));
}

TEST(Int8Test, MultipliesBatchesAndNone) {
  const Matrix<std::int8_t> a(engine(), {{1, 2}, {-3, 4}, {5, -128}}),
      b(engine(), {{1}, {1}, {2}, {0}, {-128}, {-128}});
  const auto c = multiply_batched(batch_of(a, 3), batch_of(b, 3));
  EXPECT_EQ(c.to_host(), (Words{3, -6, 15744}));
  Matrix<std::int32_t> added(engine(), {{1}, {2}, {3}});
  multiply_batched_into(batch_of(added, 3), batch_of(a, 3), batch_of(b, 3), {.beta = 1000});
  EXPECT_EQ(added.to_host(), (Words{1003, 1994, 18744}));
  const Matrix<std::int8_t> none(engine(), 0, 3);
  const auto empty = multiply_batched(batch_of(none, 0), batch_of(none, 0));
  EXPECT_EQ(empty.rows(), 0U);
  EXPECT_EQ(empty.ran.variant(), "");
}

TEST(Int8Test, EmptyInnerDimensionGivesBetaC) {
  const Matrix<std::int8_t> a(engine(), 2, 0), b(engine(), 0, 2);
  Matrix<std::int32_t> c(engine(), {{1, 2}, {3, 2000000000}});
  multiply_into(c, a, b, {.beta = 3});
  EXPECT_EQ(c.to_host(), (Words{3, 6, 9, 1705032704}));
}

/// The elements of c have 4 bytes, so that c covers four times the range of a.
TEST(Int8Test, RefusesAnOutputThatSharesBytes) {
  Matrix<std::int32_t> c(engine(), 4, 4, Words(16, 7));
  const auto a = interop::adopt_view<std::int8_t>(engine(), interop::buffer(c), 48, 4, 4, 4);
  const Matrix<std::int8_t> b(engine(), 4, 4, Bytes(16, 2));
  EXPECT_EQ(message_of([&] { multiply_into(c, a, b); }),
            "multiply: c and a have elements in common");
  EXPECT_EQ(c.to_host(), Words(16, 7));
  multiply_into(c.block(0, 0, 3, 4), a.block(0, 0, 3, 4), b);
  EXPECT_EQ(c.to_host(), (Words{14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 7, 7, 7, 7}));
}

TEST(Int8Test, KernelsOfOneTypeSayWhyTheyDoNotRun) {
  const Matrix<std::int8_t> a(engine(), 2, 2, Bytes(4, 1));
  for (const char* variant : {"subgroup_broadcast", "subgroup_block", "sliced_k"}) {
    EXPECT_EQ(message_of([&] {
                multiply(a, a, {.kernel = {variant, {}}});
              }),
              std::string("multiply/") + variant + ": it is not for int8");
  }
  for (const char* variant :
       {"image", "intel_subgroup_block", "bulk_copy", "tensor_core", "tensor_core_double",
        "tensor_core_half", "tensor_core_hopper", "mma_halves", "tensor_core_residues"})
    EXPECT_THROW(multiply(a, a, {.kernel = {variant, {}}}), UnsupportedError) << variant;
  const CheckCase vector{.problem = {.operation = "matrix_vector", .types = ElementType::int8}};
  EXPECT_THROW(check(engine(), vector), UnsupportedError);
  for (const VariantInfo& variant : info_of("matrix_vector").variants)
    EXPECT_FALSE(variant.runs_on(engine(), ElementType::int8)) << variant.name();
}

TEST(Int8Test, WorkCountsFourBytesForAnElementOfC) {
  const Work work = work_of({.types = ElementType::int8, .m = 10, .n = 20, .k = 30, .batch = 2});
  EXPECT_EQ(work.flops, 2 * 2 * 10 * 20 * 30);
  EXPECT_EQ(work.bytes, 2 * (10 * 30 + 30 * 20 + 4 * 10 * 20));
}

}  // namespace
}  // namespace tessera::test
