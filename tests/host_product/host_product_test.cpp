// multiply_host: right results from every kind of host memory, the same bits on any devices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "operands/numbers.hpp"
#include "reference/guarded.hpp"
#include "reference/product.hpp"
#include "support/device.hpp"
#include "support/message_of.hpp"
#include "support/share.hpp"

namespace tessera::test {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// A matrix of any type with gaps between its rows, and its elements without them.
struct Stored {
  std::size_t rows, columns, pitch, before;
  ElementType type;
  std::vector<double> numbers;
  std::vector<std::byte> bytes;

  Stored(ElementType of, std::size_t m, std::size_t n, std::size_t gap, std::size_t offset,
         std::mt19937_64& random)
      : rows(m), columns(n), pitch(n + gap), before(offset), type(of) {
    numbers = reference::random_elements(type, rows * columns, random);
    std::vector<double> all(before + rows * pitch, reference::poison(type));
    for (std::size_t i = 0; i < rows; i++)
      std::copy_n(numbers.begin() + std::ptrdiff_t(i * columns), columns,
                  all.begin() + std::ptrdiff_t(before + i * pitch));
    bytes = operands::elements_of(type, all);
  }

  detail::HostOperand operand(Op op) {
    std::byte* const first = bytes.data() + before * element_size(type);
    const bool turned = is_transposed(op);
    return {first, turned ? columns : rows, turned ? rows : columns, pitch, type, op, false};
  }
  std::vector<double> inside() const {
    const auto all = operands::numbers_of(type, bytes);
    std::vector<double> elements(rows * columns);
    for (std::size_t i = 0; i < rows; i++)
      std::copy_n(all.begin() + std::ptrdiff_t(before + i * pitch), columns,
                  elements.begin() + std::ptrdiff_t(i * columns));
    return elements;
  }
  /// Returns whether everything but the elements is as it was in `other`.
  bool has_gaps_of(const Stored& other) const {
    auto now = bytes;
    const std::size_t size = element_size(type);
    for (std::size_t i = 0; i < rows; i++)
      std::copy_n(other.bytes.begin() + std::ptrdiff_t((before + i * pitch) * size), columns * size,
                  now.begin() + std::ptrdiff_t((before + i * pitch) * size));
    return now == other.bytes;
  }
};

/// A random product of host memory.
struct Drawn {
  ProductTypes types;
  std::size_t m, n, k;
  Op op_a, op_b;
  double alpha, beta;
  std::uint64_t device_memory;
  std::uint64_t seed;
};

Drawn random_case(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto extent = [&] {
    return std::size_t(std::exp2(std::uniform_real_distribution<double>(0, 10)(random)));
  };
  constexpr ElementType kHalf = ElementType::float16, kBfloat = ElementType::bfloat16,
                        kFloat = ElementType::float32;
  const std::vector<ProductTypes> all = {
      kFloat,  ElementType::float64,        ElementType::int32,           ElementType::int8, kHalf,
      kBfloat, ProductTypes(kHalf, kFloat), ProductTypes(kBfloat, kFloat)};
  constexpr std::array<double, 4> kAlphas = {1, -2, 3, 0}, kBetas = {0, 1, -3, 0};
  return {all[random() % all.size()],
          extent(),
          extent(),
          extent(),
          op_if(random() % 2 == 0),
          op_if(random() % 2 == 0),
          kAlphas[random() % 8 == 0 ? 3 : random() % 3],
          kBetas[random() % 4],
          0,
          seed};
}

/// Memory for tiles of 256 x 256 and parts of 256 or 512, except in one case of four.
std::uint64_t little_memory(const Drawn& one) {
  if (one.seed % 4 == 0) return 0;
  constexpr std::uint64_t kTile = 256;
  const std::uint64_t depth = kTile * (1 + one.seed % 2);
  return 3 * kTile * (kTile * element_size(one.types.sum) + 2 * depth * element_size(one.types.a));
}

std::string text_of(const Drawn& c) {
  return to_string(c.types) + " " + std::to_string(c.m) + " x " + std::to_string(c.n) + " x " +
         std::to_string(c.k) + ", seed " + std::to_string(c.seed);
}

/// The elements of c, by one device or several.
Stored computed(const Drawn& one, Stored& a, Stored& b, Stored c,
                const std::vector<Engine>& devices) {
  detail::multiply_host(c.operand(Op::none), a.operand(one.op_a), b.operand(one.op_b),
                        {.alpha = one.alpha,
                         .beta = one.beta,
                         .devices = devices,
                         .device_memory = one.device_memory});
  return c;
}

/// Every type, shape, transpose, gap and scalar; right, the same bits on one device and two, and
/// nothing written beside c.
TEST(HostProductTest, RandomProducts) {
  const Engine other(engine().device().selector);
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t seed = 1; seed <= 500; seed++) seeds.push_back(seed);
  double worst = 0;
  for (const std::uint64_t seed : share_of(seeds)) {
    Drawn one = random_case(seed);
    one.device_memory = little_memory(one);
    if (one.types.a == ElementType::float64 && !engine().device().has_double) continue;
    std::mt19937_64 random(seed);
    const auto gap = [&] { return random() % 3 == 0 ? random() % 20 : 0; };
    const auto stored = [&](ElementType type, std::size_t m, std::size_t n, Op op) {
      if (is_transposed(op)) std::swap(m, n);
      const std::size_t beside = gap(), before = gap();
      return Stored(type, m, n, beside, before, random);
    };
    Stored a = stored(one.types.a, one.m, one.k, one.op_a),
           b = stored(one.types.b, one.k, one.n, one.op_b);
    const Stored before = stored(one.types.c, one.m, one.n, Op::none);
    const Stored c = computed(one, a, b, before, {engine()}),
                 again = computed(one, a, b, before, {engine(), other});
    EXPECT_EQ(c.bytes, again.bytes) << text_of(one);
    EXPECT_TRUE(c.has_gaps_of(before)) << text_of(one);
    const auto inside = c.inside();
    const auto elements = [](const std::vector<double>& numbers) {
      return operands::Elements(ElementType::float64, numbers.data());
    };
    const Verification seen = reference::verify(
        {one.types, one.m, one.n, one.k, elements(a.numbers), elements(b.numbers),
         elements(before.numbers), elements(inside), one.op_a, one.op_b},
        {.alpha = one.alpha, .beta = one.beta}, {.max_elements = 3000, .seed = seed});
    EXPECT_TRUE(seen.passed()) << text_of(one) << ": " << seen.worst;
    EXPECT_GT(seen.elements, 0U);
    worst = std::max(worst, seen.worst);
  }
  EXPECT_GT(worst, 0.01);
}

/// Several tiles on devices that use the matrices in place, and that do not.
TEST(HostProductTest, SeveralTilesOfRandomNumbers) {
  const Engine other(engine().device().selector);
  for (const ElementType type :
       {ElementType::float32, ElementType::float16, ElementType::bfloat16, ElementType::int8}) {
    for (const std::uint64_t memory : {std::uint64_t{0}, 2 * kMebibyte + kMebibyte / 2}) {
      const std::size_t m = memory == 0 ? 2100 : 600, n = memory == 0 ? 1100 : 300,
                        k = memory == 0 ? 40 : 700;
      const ProductTypes types = type;
      std::mt19937_64 random(5);
      Stored a(type, m, k, 3, 1, random), b(type, n, k, 0, 0, random);
      const Stored before(types.c, m, n, 2, 0, random);
      const Drawn one{types, m, n, k, Op::none, Op::transpose, 1, -2, memory, 5};
      const Stored c = computed(one, a, b, before, {engine()});
      EXPECT_EQ(c.bytes, computed(one, a, b, before, {engine(), other}).bytes) << text_of(one);
      EXPECT_TRUE(c.has_gaps_of(before));
      const auto inside = c.inside();
      const auto elements = [](const std::vector<double>& numbers) {
        return operands::Elements(ElementType::float64, numbers.data());
      };
      const Verification seen =
          reference::verify({types, m, n, k, elements(a.numbers), elements(b.numbers),
                             elements(before.numbers), elements(inside), one.op_a, one.op_b},
                            {.beta = one.beta}, {.max_elements = 20000, .seed = 1});
      EXPECT_TRUE(seen.passed()) << text_of(one) << ": " << seen.worst;
    }
  }
}

/// Transfers straight from and to pinned memory, whose panels take turns in few slots.
TEST(HostProductTest, PinnedMatricesOfSeveralTilesAndParts) {
  constexpr std::size_t kEdge = 600, kDepth = 1100;
  HostMatrix<float> a(engine(), kEdge, kDepth), b(engine(), kDepth, kEdge),
      c(engine(), kEdge, kEdge);
  for (std::size_t i = 0; i < a.elements().size(); i++) {
    a.elements()[i] = static_cast<float>(i * 7 % 11) - 5;
    b.elements()[i] = static_cast<float>(i * 3 % 7) - 3;
  }
  const auto report = multiply_host(
      c, a, b, {.devices = {engine()}, .device_memory = 2 * kMebibyte + kMebibyte / 2});
  EXPECT_LT(report.depth, kDepth);
  EXPECT_GT(report.devices[0].tiles, 4U);
  int wrong = 0;
  for (std::size_t i = 0; i < kEdge; i += 7) {
    for (std::size_t j = 0; j < kEdge; j++) {
      float sum = 0;  // exact
      for (std::size_t p = 0; p < kDepth; p++) sum += a(i, p) * b(p, j);
      wrong += c(i, j) == sum ? 0 : 1;
    }
  }
  EXPECT_EQ(wrong, 0);
}

/// A tile of several parts and bands that do not fit all at once.
TEST(HostProductTest, LittleMemoryForALongProduct) {
  std::mt19937_64 random(1);
  const Drawn one{ElementType::float32, 700, 600, 3000,          Op::none,
                  Op::transpose,        2,   1,   3 * kMebibyte, 1};
  Stored a(ElementType::float32, 700, 3000, 5, 0, random),
      b(ElementType::float32, 600, 3000, 0, 3, random);
  const Stored before(ElementType::float32, 700, 600, 1, 0, random);
  Stored c = before;
  const auto report = detail::multiply_host(
      c.operand(Op::none), a.operand(one.op_a), b.operand(one.op_b),
      {.alpha = 2, .beta = 1, .devices = {engine()}, .device_memory = one.device_memory});
  EXPECT_LT(report.depth, 3000U);
  EXPECT_LE(report.tile_rows, 256U);
  EXPECT_GT(report.devices[0].bytes_in, (a.numbers.size() + b.numbers.size()) * 4);
  EXPECT_EQ(report.devices[0].bytes_out, before.numbers.size() * 4);
  EXPECT_FALSE(report.devices[0].in_place);
  const auto inside = c.inside();
  const auto elements = [](const std::vector<double>& numbers) {
    return operands::Elements(ElementType::float64, numbers.data());
  };
  EXPECT_TRUE(
      reference::verify({one.types, 700, 600, 3000, elements(a.numbers), elements(b.numbers),
                         elements(before.numbers), elements(inside), one.op_a, one.op_b},
                        {.alpha = 2, .beta = 1}, {.max_elements = 5000})
          .passed());
}

TEST(HostProductTest, TakesVectorsHostMatricesAndTransposes) {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6};
  std::vector<float> c(4);
  multiply_host<float>({c.data(), 2, 2}, {a.data(), 2, 3},
                       HostView<const float>(a.data(), 2, 3).transposed(), {.devices = {engine()}});
  EXPECT_EQ(c, (std::vector<float>{14, 32, 32, 77}));

  HostMatrix<float> pinned(engine(), 2, 2), result(engine(), 2, 2);
  std::ranges::copy(c, pinned.elements().begin());
  const auto report =
      multiply_host(result, pinned, pinned.view().transposed(),
                    {.alpha = 0.5, .devices = {engine()}, .device_memory = kMebibyte});
  EXPECT_EQ(result(0, 0), 0.5F * (14 * 14 + 32 * 32));
  EXPECT_EQ(result(1, 0), 0.5F * (32 * 14 + 77 * 32));
  EXPECT_EQ(report.devices.at(0).tiles, 1U);

  const std::vector<std::int8_t> bytes = {1, -2, 3, 100};
  std::vector<std::int32_t> sums(1);
  multiply_host<std::int8_t>({sums.data(), 1, 1}, {bytes.data(), 1, 4}, {bytes.data(), 4, 1},
                             {.devices = {engine()}});
  EXPECT_EQ(sums[0], 10014);
  const std::vector<half> halves(4, half(3.0F));
  multiply_host<half, float>({c.data(), 1, 1}, {halves.data(), 1, 4}, {halves.data(), 4, 1},
                             {.devices = {engine()}});
  EXPECT_EQ(c[0], 36);
}

TEST(HostProductTest, EmptyProductsAndSumsOfNothing) {
  std::vector<float> c = {1, 2, 3, 4};
  const std::vector<float> a = {NAN, NAN};
  for (const std::uint64_t memory : {std::uint64_t{0}, kMebibyte}) {
    const HostProductOptions options{.beta = 2, .devices = {engine()}, .device_memory = memory};
    multiply_host<float>({c.data(), 0, 2}, {a.data(), 0, 3}, {a.data(), 3, 2}, options);
    multiply_host<float>({c.data(), 2, 2}, {a.data(), 2, 0}, {a.data(), 0, 2}, options);
    HostProductOptions without = options;
    without.alpha = 0;
    multiply_host<float>({c.data(), 2, 2}, {a.data(), 2, 1}, {a.data(), 1, 2}, without);
  }
  EXPECT_EQ(c, (std::vector<float>{16, 32, 48, 64}));
}

TEST(HostProductTest, RefusesWhatDoesNotMatchBeforeItWrites) {
  std::vector<float> c(6, 7), a(6, 1);
  const auto product = [&](HostView<float> to, HostView<const float> left,
                           HostView<const float> right, const HostProductOptions& options = {}) {
    return [=] { multiply_host<float>(to, left, right, options); };
  };
  EXPECT_EQ(message_of(product({c.data(), 2, 2}, {a.data(), 2, 3}, {a.data(), 2, 3})),
            "multiply_host: a is 2 x 3, b is 2 x 3 and c is 2 x 2");
  EXPECT_EQ(message_of(product({a.data(), 2, 2}, {a.data() + 3, 2, 1}, {c.data(), 1, 2})),
            "multiply_host: c has elements in common with a");
  EXPECT_EQ(message_of(product(HostView<float>(c.data(), 2, 1).transposed(), {a.data(), 1, 1},
                               {a.data(), 1, 2})),
            "multiply_host: c is a transposed view");
  EXPECT_EQ(message_of(product({c.data(), 2, 3, 2}, {a.data(), 2, 1}, {a.data(), 1, 3})),
            "multiply_host: rows of c have 3 elements and are 2 apart");
  EXPECT_EQ(message_of(product({nullptr, 2, 1}, {a.data(), 2, 1}, {a.data(), 1, 1})),
            "multiply_host: c has no memory");
  std::vector<float> large(300 * 300, 7);
  EXPECT_THROW(product({large.data(), 300, 300}, {large.data(), 0, 0}, {large.data(), 0, 0})(),
               MatrixError);
  const std::vector<float> left(300), right(300);
  EXPECT_THROW(product({large.data(), 300, 300}, {left.data(), 300, 1}, {right.data(), 1, 300},
                       {.devices = {engine()}, .device_memory = 1000})(),
               MemoryError);
  EXPECT_EQ(c, std::vector<float>(6, 7));
  EXPECT_EQ(large, std::vector<float>(300 * 300, 7));
}

TEST(HostProductTest, ReportsProgressAndEndsWhenCancelled) {
  std::vector<float> a(1200 * 50, 1), c(1200 * 1200);
  const auto product = [&](const HostProductOptions& options) {
    return multiply_host<float>({c.data(), 1200, 1200}, {a.data(), 1200, 50}, {a.data(), 50, 1200},
                                options);
  };
  HostProductOptions options{.devices = {engine()}, .device_memory = 3 * kMebibyte};
  std::size_t last = 0, all = 0;
  options.progress = [&](const HostProductProgress& progress) {
    EXPECT_GT(progress.tiles_done, last);
    last = progress.tiles_done;
    all = progress.tiles;
  };
  const auto report = product(options);
  EXPECT_GT(all, 4U);
  EXPECT_EQ(last, all);
  EXPECT_EQ(report.devices[0].tiles, all);
  EXPECT_EQ(c, std::vector<float>(c.size(), 50));

  CancelSource source;
  source.cancel();
  options.cancel = source.token();
  options.progress = {};
  EXPECT_THROW(product(options), CancelledError);
  options.cancel = {};
  options.progress = [](const HostProductProgress&) { throw std::string("the caller's"); };
  EXPECT_THROW(product(options), std::string);
}

}  // namespace
}  // namespace tessera::test
