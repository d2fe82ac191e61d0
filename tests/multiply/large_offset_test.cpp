// Views that begin past element 2^32 of their matrix, where the device can hold one.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <tessera/tessera.hpp>
#include <tessera/verify.hpp>
#include <vector>

#include "support/device.hpp"

namespace tessera::test {
namespace {

constexpr std::size_t kColumns = 65536, kFirstRow = 65536;  // element 2^32 is the first of this row
constexpr std::size_t kM = 70, kN = 90, kK = 50;

template <class T>
class LargeOffsetTest : public testing::Test {
 protected:
  void SetUp() override {
    const DeviceInfo& device = engine().device();
    const std::uint64_t needed = std::uint64_t{kFirstRow + kM + kN + kK} * kColumns * sizeof(T);
    if (device.max_allocation < needed || device.global_memory < needed + needed / 8) {
      GTEST_SKIP() << "the device cannot hold a matrix of more than 2^32 elements";
    }
    if (std::is_same_v<T, double> && !device.has_double) GTEST_SKIP() << "the device has no double";
  }
};

using Types = testing::Types<float, double, std::int32_t, half, bfloat16>;
TYPED_TEST_SUITE(LargeOffsetTest, Types);

TYPED_TEST(LargeOffsetTest, EveryVariantMultipliesThem) {
  using T = TypeParam;
  std::mt19937 random(7);
  const auto elements = [&](std::size_t count) {
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(static_cast<float>(random() % 201) - 100);
    return values;
  };
  Matrix<T> all(engine(), kFirstRow + kM + kK + kM, kColumns);
  const auto a = elements(kM * kK), b = elements(kK * kN);
  auto a_view = all.block(kFirstRow, 5, kM, kK), b_view = all.block(kFirstRow + kM, 7, kK, kN),
       c_view = all.block(kFirstRow + kM + kK, 1000, kM, kN);
  a_view.upload(a);
  b_view.upload(b);
  int ran = 0;
  for (const VariantInfo& variant : operations().front().variants) {
    if (!variant.runs_on(engine(), kElementType<T>)) continue;
    const std::vector<T> poison(kM * kN, static_cast<T>(-77));
    c_view.upload(poison);
    const MultiplyOptions options{.kernel = {variant.name(), {}}};
    multiply_into(c_view, a_view, b_view, options);
    EXPECT_TRUE(
        verify_multiply(HostProduct<T>{kM, kN, kK, a, b, {}, c_view.to_host()}, options).passed())
        << variant.name();
    ran++;
  }
  EXPECT_GE(ran, 8);
}

}  // namespace
}  // namespace tessera::test
