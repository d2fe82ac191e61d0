// multiply_host: kinds of host memory, empty products, what is refused, progress, cancelling.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/message_of.hpp"

namespace tessera::test {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

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

TEST(HostProductTest, MultipliesAdjointsByComplexFactors) {
  using Complex = std::complex<float>;
  const std::vector<Complex> a = {{1, 2}, {3, -1}};
  for (const std::uint64_t memory : {std::uint64_t{0}, kMebibyte}) {
    std::vector<Complex> c(4, 1);
    const HostView<const Complex> row(a.data(), 1, 2);
    const HostProductOptions options{.alpha = Complex(0, 1),
                                     .beta = Complex(0, 2),
                                     .devices = {engine()},
                                     .device_memory = memory};
    multiply_host<Complex>({c.data(), 2, 2}, row.adjoint(), row, options);
    EXPECT_EQ(c, (std::vector<Complex>{{0, 7}, {7, 3}, {-7, 3}, {0, 12}}));
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
