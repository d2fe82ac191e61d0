// OpenCL calls of the library, and other costs of a call.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "fault.hpp"
#include "own_work.hpp"
#include "runtime/opencl.hpp"
#include "support/transposed_if.hpp"

namespace tessera::test {
namespace {

/// Counts the allocations of one more call, after some identical ones.
template <class Call>
std::array<long, 2> cost(Call&& call) {
  for (int i = 0; i < 5; i++) call();
  // The least of several: now and then a container grows.
  std::array<long, 2> least = {INT32_MAX, INT32_MAX};
  for (int i = 0; i < 5; i++) {
    count_own_work();
    call();
    least = std::min(least, {allocations(), look_ups()});
  }
  return least;
}

TEST(CallsTest, ARepeatedProductAllocatesAtMostTenTimesAndReadsNoVariable) {
  const Engine engine;
  const Matrix<float> a(engine, 8, 8, std::vector<float>(64, 1));
  Matrix<float> c(engine, 8, 8);
  const MultiplyOptions chosen;
  const MultiplyOptions named{.kernel = {"naive", {{"GROUP_COLUMNS", 32}, {"GROUP_ROWS", 8}}}};
  for (const auto& options : {chosen, named}) {
    const auto [allocated, looked_up] = cost([&] { multiply_into(c, a, a, options); });
    EXPECT_LE(allocated, 10) << options.kernel.variant;
    EXPECT_EQ(looked_up, 0) << options.kernel.variant;
    engine.finish();
  }
}

/// The parameter is the number of elements of a buffer.
class RectanglesTest : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override { refuse_odd_rectangles(true); }
  void TearDown() override { refuse_odd_rectangles(false); }
};

/// Every offset and shape of a view in a small buffer, up to its very end.
TEST_P(RectanglesTest, TransfersOfEveryAdoptedViewStayWithinTheirRows) {
  const Engine engine;
  constexpr std::size_t kPitch = 4;
  const std::size_t size = GetParam();
  std::vector<float> before(size);
  for (std::size_t i = 0; i < size; i++) before[i] = static_cast<float>(i);
  const cl_mem buffer = clCreateBuffer(interop::context(engine), CL_MEM_READ_WRITE,
                                       size * sizeof(float), nullptr, nullptr);
  auto matrix = interop::adopt<float>(engine, buffer, 1, size);
  clReleaseMemObject(buffer);
  int views = 0;
  for (std::size_t columns = 1; columns <= kPitch; columns++) {
    for (std::size_t rows = 1; rows <= 3; rows++) {
      for (std::size_t offset = 0; offset + (rows - 1) * kPitch + columns <= size; offset++) {
        matrix.upload(before);
        const auto view = interop::adopt_view<float>(engine, interop::buffer(matrix), offset, rows,
                                                     columns, kPitch);
        auto expected = before;
        std::vector<float> elements, written;
        for (std::size_t i = 0; i < rows * columns; i++) {
          const std::size_t at = offset + i / columns * kPitch + i % columns;
          elements.push_back(before[at]);
          written.push_back(-before[at]);
          expected[at] = -before[at];
        }
        EXPECT_EQ(view.to_host(), elements);
        EXPECT_EQ(view.copy_to(engine).to_host(), elements);
        view.upload(written);
        EXPECT_EQ(matrix.to_host(), expected) << rows << " x " << columns << " from " << offset;
        views++;
      }
    }
  }
  EXPECT_GT(views, 50);
}

// With 13 to 15, the last pitch of the last view ends behind the buffer.
INSTANTIATE_TEST_SUITE_P(Sizes, RectanglesTest, testing::Values(13, 14, 15, 16));

/// A matrix whose solve has several batches of rounds; the host reads the state between batches.
Matrix<float> hilbert(const Engine& engine, std::size_t n) {
  std::vector<float> elements(n * n);
  for (std::size_t i = 0; i < elements.size(); i++)
    elements[i] = 1.0f / static_cast<float>(i / n + i % n + 1);
  return {engine, n, n, elements};
}

TEST(EigenCallsTest, ASolveSeldomWaits) {
  const Engine engine;
  const Matrix<float> a = hilbert(engine, 200);
  for (const auto method :
       {EigenMethod::implicit, EigenMethod::fused, EigenMethod::explicit_steps}) {
    for (const double tolerance : {1e-1, 1e-3, 1e-5, 1e-8, 1e-10}) {
      const EigenOptions options{.method = method, .tolerance = tolerance};
      dominant_eigenpair(a, options);
      fail_call(-1);
      const auto pair = dominant_eigenpair(a, options);
      const long waited = waits();
      fail_none();
      EXPECT_TRUE(pair.converged);
      EXPECT_LE(waited, static_cast<long>(pair.rounds) / 16 + 3)
          << to_string(method) << ", " << pair.rounds << " rounds";
    }
  }
}

/// A repeated solve uses the checks of an earlier one without reading the disk, or the variables
/// that contain its path.
TEST(EigenCallsTest, ARepeatedSolveReadsNoVariable) {
  const Engine engine;
  const Matrix<float> a = hilbert(engine, 67);
  for (const bool transpose : {false, true}) {
    EXPECT_EQ(cost([&] { dominant_eigenpair(transposed_if(transpose, a)); })[1], 0) << transpose;
  }
}

/// Implicit rounds have the same kernels for both tests.
TEST(EigenCallsTest, AnotherStopTestIsCheckedToo) {
  const Engine engine;
  const Matrix<float> a = hilbert(engine, 67);
  dominant_eigenpair(a);
  count_own_work();
  dominant_eigenpair(a, {.stop = StopTest::neighbours});
  EXPECT_GT(look_ups(), 0);
}

/// Besides 16 rounds: the first state, the evidence, and one transfer, for which the host waits.
TEST(EigenCallsTest, ARoundIsOneCommand) {
  const Engine engine;
  const Matrix<float> a = hilbert(engine, 200);
  const EigenOptions options{.stop = StopTest::neighbours};
  dominant_eigenpair(a, options);
  fail_call(-1);
  const auto pair = dominant_eigenpair(a, options);
  const long enqueued = commands(), waited = waits();
  fail_none();
  EXPECT_TRUE(pair.converged);
  EXPECT_LE(enqueued, 16 + 3);
  EXPECT_EQ(waited, 1);
}

}  // namespace
}  // namespace tessera::test
