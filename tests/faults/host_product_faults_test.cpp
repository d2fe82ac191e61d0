// Failures of the devices of a host product: another one takes over, or the error is the promised
// one, and every tile of c is complete or unchanged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "fault.hpp"
#include "host_product/partition.hpp"
#include "scenarios.hpp"
#include "support/share.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

constexpr std::size_t kEdge = 520, kDepth = 300, kTile = 256;
constexpr std::uint64_t kMemory = 5 << 19;

/// Numbers of calls to let fail, of `number`: the share of about `most`, or of all of them if
/// $TESSERA_EVERY_CODE is set.
std::vector<long> drawn_calls(long number, long most = 600) {
  const bool all = std::getenv("TESSERA_EVERY_CODE") != nullptr;
  const long step = all ? 1 : std::max(1L, number / most);
  std::vector<long> calls;
  for (long i = 0; i < number; i += step) calls.push_back(i + (step > 1 ? (i / step) % step : 0));
  return share_of(calls);
}

/// c = a * b + c in tiles of 256 x 256, of two parts each.
class HostProductFaultsTest : public testing::Test {
 protected:
  std::vector<float> a_, b_, after_;

  HostProductFaultsTest() {
    for (std::size_t i = 0; i < kEdge * kDepth; i++) {
      a_.push_back(static_cast<float>(i * 7 % 5));
      b_.push_back(static_cast<float>(i * 3 % 7));
    }
    after_ = before();
    for (std::size_t i = 0; i < kEdge; i++) {
      for (std::size_t p = 0; p < kDepth; p++) {
        for (std::size_t j = 0; j < kEdge; j++)
          after_[i * kEdge + j] += a_[i * kDepth + p] * b_[p * kEdge + j];  // exact
      }
    }
  }
  const Variable cache_{"TESSERA_CACHE", "off"}, worker_{"TESSERA_WORKER", "off"};

  HostProductReport product(std::vector<float>& c, const std::vector<Engine>& devices) const {
    return multiply_host<float>({c.data(), kEdge, kEdge}, {a_.data(), kEdge, kDepth},
                                {b_.data(), kDepth, kEdge},
                                {.beta = 1, .devices = devices, .device_memory = kMemory});
  }
  HostProductReport product_in_place(std::vector<float>& c, const Engine& device,
                                     double beta) const {
    return multiply_host<float>({c.data(), kEdge, kEdge}, {a_.data(), kEdge, kDepth},
                                {b_.data(), kDepth, kEdge}, {.beta = beta, .devices = {device}});
  }
  static std::vector<float> before() { return std::vector<float>(kEdge * kEdge, 5); }

  /// Tiles that are neither complete nor unchanged.
  int broken_tiles(const std::vector<float>& c) const {
    int broken = 0;
    const host_product::Extents extents{kEdge, kEdge, kDepth, ElementType::float32};
    for (const host_product::Tile& tile : host_product::partition(extents, kMemory).tiles) {
      const bool is_done = c[tile.row * kEdge + tile.column] != 5;
      bool is_whole = true;
      for (std::size_t i = tile.row; i < tile.row + tile.rows; i++) {
        for (std::size_t j = tile.column; j < tile.column + tile.columns; j++)
          is_whole = is_whole && c[i * kEdge + j] == (is_done ? after_[i * kEdge + j] : 5);
      }
      broken += is_whole ? 0 : 1;
    }
    return broken;
  }
};

TEST_F(HostProductFaultsTest, AnotherDeviceTakesOver) {
  auto c = before();
  const auto report = product(c, {new_engine(), new_engine()});
  ASSERT_EQ(c, after_);
  ASSERT_EQ(report.tile_rows, kTile);
  ASSERT_LT(report.depth, kDepth);
  fail_call(-1);
  c = before();
  product(c, {new_engine(), new_engine()});
  const long number = calls();
  fail_none();
  const auto drawn = drawn_calls(number);
  std::string held = unreleased();
  long failed = 0, replaced = 0, errors = 0;
  for (const long i : drawn) {
    c = before();
    try {
      const std::vector<Engine> devices = {new_engine(), new_engine()};
      fail_call(i);
      const auto seen = product(c, devices);
      fail_none();
      EXPECT_EQ(c, after_) << "call " << i << ": " << failed_call();
      for (const HostProductDevice& device : seen.devices)
        replaced += device.failure.empty() ? 0 : 1;
    } catch (const Error& error) {
      fail_none();
      errors++;
      EXPECT_EQ(broken_tiles(c), 0) << "call " << i << ": " << error.what();
    }
    failed += failed_call().empty() ? 0 : 1;
    // An object stays if OpenCL does not release it.
    if (failed_call().starts_with("clRelease")) held = unreleased();
    EXPECT_EQ(unreleased(), held) << "call " << i << ": " << failed_call();
  }
  std::printf("%ld calls failed: %ld devices were replaced, %ld products failed\n", failed,
              replaced, errors);
  EXPECT_GT(failed, std::ssize(drawn) / 2);
  EXPECT_GT(replaced, failed / 4);
}

TEST_F(HostProductFaultsTest, TilesAreCompleteOrUnchangedIfTheOnlyDeviceFails) {
  auto c = before();
  product(c, {new_engine()});
  fail_call(-1);
  product(c, {new_engine()});
  const long number = calls();
  fail_none();
  const auto drawn = drawn_calls(number);
  long errors = 0;
  for (const long i : drawn) {
    c = before();
    try {
      const Engine device = new_engine();
      fail_call(i);
      product(c, {device});
      fail_none();
      EXPECT_EQ(c, after_) << "call " << i << ": " << failed_call();
    } catch (const Error& error) {
      fail_none();
      errors++;
      EXPECT_EQ(broken_tiles(c), 0) << "call " << i << ": " << error.what();
    }
  }
  EXPECT_GT(errors, std::ssize(drawn) / 4);
}

/// One of two devices, each in a context of its own, is lost at any wait.
TEST_F(HostProductFaultsTest, OneOfTwoDevicesIsLostAtAnyWait) {
  const std::vector<Engine> applications = {Engine(), Engine()};
  const auto devices = [&] {
    std::vector<Engine> all;
    for (const Engine& one : applications) all.push_back(interop::adopt(interop::queue(one)));
    return all;
  };
  auto c = before();
  product(c, devices());
  fail_call(-1);
  product(c, devices());
  const long number = waits();
  fail_none();
  ASSERT_GT(number, 3);
  long replaced[2] = {0, 0};
  for (const long i : drawn_calls(number, 120)) {
    c = before();
    const auto both = devices();
    lose_one_device(i);
    HostProductReport report;
    ASSERT_NO_THROW(report = product(c, both)) << "wait " << i;
    fail_none();
    EXPECT_EQ(land(), "") << "wait " << i;
    EXPECT_EQ(c, after_) << "wait " << i;
    for (std::size_t d = 0; d < 2; d++) replaced[d] += report.devices[d].failure.empty() ? 0 : 1;
  }
  std::printf("of %ld waits, %ld lost the first device and %ld the second\n", number, replaced[0],
              replaced[1]);
  EXPECT_GT(replaced[0] + replaced[1], 0);
}

/// Calls fail on a device that uses the caller's memory in place.
TEST_F(HostProductFaultsTest, CallsFailInPlace) {
  auto c = before();
  if (!product_in_place(c, new_engine(), 1).devices.front().in_place)
    GTEST_SKIP() << "the device does not use host memory in place";
  ASSERT_EQ(c, after_);
  fail_call(-1);
  product_in_place(c, new_engine(), 0);
  const long number = calls();
  fail_none();
  std::string held = unreleased();
  long errors = 0;
  for (const long i : drawn_calls(number, 120)) {
    for (const double beta : {0.0, 1.0}) {
      c = before();
      try {
        const Engine device = new_engine();
        fail_call(i);
        const auto report = product_in_place(c, device, beta);
        fail_none();
        auto right = after_;
        for (float& element : right) element -= beta == 0 ? 5 : 0;
        EXPECT_EQ(c, right) << "call " << i << ": " << failed_call();
        EXPECT_EQ(report.devices.size(), 1U);
      } catch (const Error& error) {
        fail_none();
        errors++;
        EXPECT_FALSE(failed_call().empty()) << error.what();
      }
      if (failed_call().starts_with("clRelease")) held = unreleased();
      EXPECT_EQ(unreleased(), held) << "call " << i << ": " << failed_call();
    }
  }
  std::printf("%ld calls, %ld products failed\n", number, errors);
  EXPECT_GT(errors, 0);
}

/// A device that is lost at any wait: no memory is freed that it may still use.
TEST_F(HostProductFaultsTest, ADeviceIsLostAtAnyWait) {
  fail_call(-1);
  auto c = before();
  product(c, {new_engine()});
  const long number = waits();
  fail_none();
  ASSERT_GT(number, 3);
  long errors = 0;
  for (const long i : drawn_calls(number)) {
    c = before();
    const Engine device = new_engine();
    lose_device(i);
    try {
      product(c, {device});
      EXPECT_EQ(c, after_) << "wait " << i;
    } catch (const Error&) {
      errors++;
      EXPECT_EQ(broken_tiles(c), 0) << "wait " << i;
    }
    fail_none();
    EXPECT_EQ(land(), "") << "wait " << i;
  }
  EXPECT_GT(errors, 0);
}

}  // namespace
}  // namespace tessera::test
