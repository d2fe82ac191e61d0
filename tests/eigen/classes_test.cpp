// Classes: their order, their periods, and paths as long as a matrix.
#include "eigen/classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tessera::eigen {
namespace {

TEST(ClassesTest, EdgesLeadToTheSameClassOrALaterOne) {
  // 4 -> {1, 3} -> 0, and 2 alone.
  const std::vector<double> a = {0, 0, 0, 0, 0,  //
                                 0, 0, 0, 1, 0,  //
                                 0, 0, 1, 0, 0,  //
                                 1, 1, 0, 0, 0,  //
                                 0, 1, 0, 0, 0};
  const auto classes = classes_of(a, 5);
  ASSERT_EQ(classes.size(), 4u);
  const auto place = [&](const Class& members) {
    return std::ranges::find(classes, members) - classes.begin();
  };
  EXPECT_LT(place({4}), place({1, 3}));
  EXPECT_LT(place({1, 3}), place({0}));
  EXPECT_LT(place({2}), 4);
  EXPECT_EQ(period_of(a, 5, {1, 3}), 2u);
  EXPECT_EQ(period_of(a, 5, {2}), 1u);
  EXPECT_EQ(period_of(a, 5, {0}), 0u);
}

TEST(ClassesTest, ALongPathIsNoDeepRecursion) {
  constexpr std::size_t n = 3000;
  std::vector<double> a(n * n);
  for (std::size_t i = 0; i + 1 < n; i++) a[i * n + i + 1] = 1;
  EXPECT_EQ(classes_of(a, n).size(), n);
  a[(n - 1) * n] = 1;
  const auto classes = classes_of(a, n);
  ASSERT_EQ(classes.size(), 1u);
  EXPECT_EQ(period_of(a, n, classes.front()), n);
}

}  // namespace
}  // namespace tessera::eigen
