// overlap: exact, against counting every element.
#include "operands/overlap.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace tessera::operands {
namespace {

bool counted(const Rows& a, const Rows& b) {
  std::set<std::uint64_t> elements;
  for (std::uint64_t i = 0; i < a.rows; i++) {
    for (std::uint64_t j = 0; j < a.columns; j++) elements.insert(a.begin + i * a.pitch + j);
  }
  for (std::uint64_t i = 0; i < b.rows; i++) {
    for (std::uint64_t j = 0; j < b.columns; j++) {
      if (elements.contains(b.begin + i * b.pitch + j)) return true;
    }
  }
  return false;
}

TEST(OverlapTest, AgreesWithCountingElements) {
  std::mt19937 random(3);
  const auto up_to = [&](unsigned maximum) {
    return std::uniform_int_distribution<std::uint64_t>(0, maximum)(random);
  };
  int overlapping = 0;
  for (int turn = 0; turn < 20000; turn++) {
    Rows a{up_to(40), up_to(5), up_to(6), 0}, b{up_to(40), up_to(5), up_to(6), 0};
    a.pitch = a.columns + 1 + up_to(5);
    b.pitch = turn % 2 == 0 ? std::max(a.pitch, b.columns) : b.columns + 1 + up_to(5);
    if (turn % 2 == 0) a.pitch = b.pitch;
    ASSERT_EQ(overlap(a, b), counted(a, b))
        << a.begin << " " << a.rows << " x " << a.columns << " / " << a.pitch << ", " << b.begin
        << " " << b.rows << " x " << b.columns << " / " << b.pitch;
    overlapping += overlap(a, b);
  }
  EXPECT_GT(overlapping, 1000);
}

TEST(OverlapTest, IsQuickForHugeBlocksOfOneMatrix) {
  const std::uint64_t pitch = std::uint64_t{1} << 33, rows = std::uint64_t{1} << 29;
  EXPECT_FALSE(overlap({0, rows, pitch / 2, pitch}, {pitch / 2, rows, pitch / 2, pitch}));
  EXPECT_TRUE(overlap({0, rows, pitch / 2 + 1, pitch}, {pitch / 2, rows, pitch / 2, pitch}));
}

}  // namespace
}  // namespace tessera::operands
