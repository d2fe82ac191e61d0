// HostView: blocks of host memory with a pitch, to and from blocks on a device.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/message_of.hpp"

namespace tessera::test {
namespace {

/// Host memory with elements 0, 1, 2, ..., whose rows are longer than the copied blocks.
struct Host {
  std::size_t rows, pitch;
  std::vector<std::int32_t> elements;

  Host(std::size_t m, std::size_t n) : rows(m), pitch(n), elements(m * n) {
    std::iota(elements.begin(), elements.end(), 0);
  }
  HostView<std::int32_t> block(std::size_t i, std::size_t j, std::size_t m, std::size_t n) {
    return HostView<std::int32_t>(elements.data(), rows, pitch).block(i, j, m, n);
  }
};

/// A few elements, as many as one chunk of a transfer has, and more.
const std::vector<std::vector<std::size_t>> kShapes = {
    {1, 1}, {3, 5}, {1, 700}, {700, 1}, {300, 501}, {1500, 1100}, {3, 1500000}};

TEST(HostViewTest, GoesToADeviceAndBack) {
  for (const auto& shape : kShapes) {
    const std::size_t m = shape[0], n = shape[1];
    SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n));
    for (const bool strided : {false, true}) {
      Host from(m + 3, n + 7), to(m + 2, n + 5);
      Matrix<std::int32_t> whole(engine(), m + 4, n + 9);
      const auto block = strided ? whole.block(2, 3, m, n) : whole.block(0, 0, m, n);
      block.upload(from.block(1, 2, m, n));
      const auto before = to.elements;
      block.to_host(to.block(1, 4, m, n));
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < to.rows; i++) {
        for (std::size_t j = 0; j < to.pitch; j++) {
          const bool inside = i >= 1 && i < m + 1 && j >= 4 && j < n + 4;
          const auto expected =
              inside ? from.block(i, j - 2, 1, 1)(0, 0) : before[i * to.pitch + j];
          wrong += to.block(i, j, 1, 1)(0, 0) != expected;
        }
      }
      EXPECT_EQ(wrong, 0U);
    }
  }
}

TEST(HostViewTest, GoesWithoutWaiting) {
  Host from(40, 50), to(40, 50);
  to.elements.assign(to.elements.size(), -1);
  Matrix<std::int32_t> matrix(engine(), 30, 20);
  const Event uploaded = matrix.upload_async(from.block(3, 4, 30, 20));
  matrix.to_host_async(to.block(5, 6, 30, 20)).wait();
  uploaded.wait();
  for (std::size_t i = 0; i < 30; i++) {
    for (std::size_t j = 0; j < 20; j++)
      EXPECT_EQ(to.block(5, 6, 30, 20)(i, j), from.block(3, 4, 30, 20)(i, j));
  }
  EXPECT_EQ(to.elements[5 * 50 + 5], -1);
  EXPECT_EQ(to.elements[5 * 50 + 26], -1);
}

TEST(HostViewTest, TakesATransposedViewToTheHost) {
  Host from(3, 2), to(4, 6);
  Matrix<std::int32_t> matrix(engine(), 3, 2);
  matrix.upload(from.block(0, 0, 3, 2));
  matrix.transposed().to_host(to.block(1, 2, 2, 3));
  EXPECT_EQ((std::vector<std::int32_t>(to.elements.begin() + 8, to.elements.begin() + 11)),
            (std::vector<std::int32_t>{0, 2, 4}));
  EXPECT_EQ((std::vector<std::int32_t>(to.elements.begin() + 14, to.elements.begin() + 17)),
            (std::vector<std::int32_t>{1, 3, 5}));
  EXPECT_THROW(matrix.transposed().to_host_async(to.block(1, 2, 2, 3)), MatrixError);
}

TEST(HostViewTest, HasTheMatrixShape) {
  Host host(4, 6);
  Matrix<std::int32_t> matrix(engine(), 3, 2);
  EXPECT_EQ(message_of([&] { matrix.upload(host.block(0, 0, 2, 3)); }),
            "upload: the matrix is 3 x 2 and the host's 2 x 3; expected the same shape");
  EXPECT_EQ(message_of([&] { matrix.upload(HostView<const std::int32_t>(nullptr, 3, 2, 1)); }),
            "upload: host rows of 2 elements cannot be 1 apart");
  EXPECT_THROW(matrix.to_host(host.block(0, 0, 2, 3)), MatrixError);
  EXPECT_THROW(matrix.to_host_async(host.block(0, 0, 2, 3)), MatrixError);
}

TEST(HostViewTest, PinnedMemoryHasBlocks) {
  HostMatrix<float> pinned(engine(), 4, 5);
  for (std::size_t i = 0; i < 20; i++) pinned.elements()[i] = static_cast<float>(i);
  Matrix<float> matrix(engine(), 2, 3);
  matrix.upload(pinned.block(1, 1, 2, 3));
  EXPECT_EQ(matrix.to_host(), (std::vector<float>{6, 7, 8, 11, 12, 13}));
  Matrix<float> whole(engine(), 4, 5);
  whole.upload(pinned);
  HostMatrix<float> turned(engine(), 5, 4);
  whole.transposed().to_host(turned);
  EXPECT_EQ(turned(4, 3), 19);
  EXPECT_EQ(whole.block(3, 4, 1, 1).to_host(), std::vector<float>{19});
}

}  // namespace
}  // namespace tessera::test
