// Solves while other operations use the same stream or the same matrix.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <tessera/tessera.hpp>
#include <thread>
#include <vector>

#include "support/device.hpp"
#include "support/watchdog.hpp"

namespace tessera::test {
namespace {

constexpr std::size_t kRows = 50;

/// The solve of this matrix takes many batches of rounds.
std::vector<double> slow_elements() {
  std::vector<double> elements(kRows * kRows, 1);
  for (std::size_t i = 0; i < kRows; i++)
    elements[i * kRows + i] = 100 + static_cast<double>(i % 7);
  return elements;
}

class SolveSharingTest : public testing::TestWithParam<EigenMethod> {
 protected:
  /// Solves with this `progress`, and expects the bits of a solve without it.
  void expect_same(std::function<void()> progress) {
    EigenOptions options{
        .method = GetParam(), .tolerance = 1e-9, .acceleration = Acceleration::none};
    options.stream = stream_;
    const auto alone = dominant_eigenpair(a_, options);
    int calls = 0;
    options.progress = [&](const EigenProgress&) {
      if (calls++ < 3) progress();
    };
    watched([&] {
      const auto pair = dominant_eigenpair(a_, options);
      EXPECT_EQ(pair.lower, alone.lower);
      EXPECT_EQ(pair.upper, alone.upper);
      EXPECT_EQ(pair.rounds, alone.rounds);
      EXPECT_EQ(pair.vector.to_host(), alone.vector.to_host());
      EXPECT_NO_THROW(pair.finished.wait());
      EXPECT_TRUE(pair.started.complete());
    });
    EXPECT_GE(calls, 2) << "too easy";
  }

  /// Enqueues a product and a maximum, both with scratch memory where their kernels use some, and
  /// waits for them.
  void multiply_on(const Stream& stream) const {
    const auto c = multiply(ones_, ones_, {.stream = stream});
    Matrix<double> maximum(stream, 1, 1);
    vector_max(maximum, ones_.block(0, 0, kRows, 1), {.kernel = {"two_pass"}, .stream = stream});
    stream.finish();
    EXPECT_EQ(c.to_host(), std::vector<double>(kRows * kRows, kRows));
    EXPECT_EQ(maximum.to_host(), std::vector<double>{1});
  }

  Stream stream_ = engine().new_stream();
  Matrix<double> a_{engine(), kRows, kRows, slow_elements()};
  Matrix<double> ones_{engine(), kRows, kRows, std::vector<double>(kRows* kRows, 1)};
};

TEST_P(SolveSharingTest, ProgressMayUseTheStreamOfTheSolve) {
  expect_same([this] { multiply_on(stream_); });
}

TEST_P(SolveSharingTest, ProgressMayUseAnotherStream) {
  const Stream other = engine().new_stream();
  expect_same([&] { multiply_on(other); });
}

TEST_P(SolveSharingTest, ProgressMayReadAndWriteTheMatrix) {
  expect_same([this] {
    EXPECT_EQ(a_.to_host(), slow_elements());
    a_.upload(slow_elements());
  });
}

/// The solve waits in `progress` for an operation of another thread on its stream.
TEST_P(SolveSharingTest, AnotherThreadMayUseTheStream) {
  std::atomic<int> products = 0;
  std::atomic<bool> over = false;
  std::thread other([&] {
    while (!over) {
      multiply_on(stream_);
      products++;
      products.notify_all();
    }
  });
  expect_same([&] {
    const int before = products;
    products.wait(before);
  });
  over = true;
  other.join();
}

INSTANTIATE_TEST_SUITE_P(Methods, SolveSharingTest,
                         testing::Values(EigenMethod::implicit, EigenMethod::fused,
                                         EigenMethod::explicit_steps),
                         [](const auto& method) { return std::string(to_string(method.param)); });

}  // namespace
}  // namespace tessera::test
