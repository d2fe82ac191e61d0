// The certificate: an interval that rounding cannot make wrong.
#include "eigen/certificate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tessera::eigen {
namespace {

TEST(CertificateTest, GoesOutwards) {
  const std::vector<double> vector = {0.5, 1}, ratios = {3, 4};
  const Certificate proof =
      certify(evidence_of(vector, ratios), {.relative = 1e-10, .smallest = 0, .floor = 0}).value();
  EXPECT_LE(proof.lower, 3 * (1 - 1e-10));
  EXPECT_GE(proof.upper, 4 * (1 + 1e-10));
  EXPECT_NEAR(proof.lower, 3, 1e-9);
  EXPECT_NEAR(proof.upper, 4, 1e-9);
  EXPECT_NEAR(proof.value, 3.5, 1e-9);
  EXPECT_NEAR(proof.residual, 0.5 / 3.5, 1e-9);
  EXPECT_EQ(proof.largest, 1);
}

TEST(CertificateTest, CountsWhatTheDeviceMayNotHaveSeen) {
  const std::vector<double> vector = {1e-20, 1}, ratios = {2, 2};
  const Certificate proof =
      certify(evidence_of(vector, ratios), {.relative = 0, .smallest = 0, .floor = 0x1p-126})
          .value();
  // Two elements below the floor, in the small component's row.
  EXPECT_GE(proof.upper, 2 + 2 * 0x1p-126 / 1e-20);
  EXPECT_LE(proof.lower, 2);
}

TEST(CertificateTest, CountsWhatProductsMayHaveLost) {
  const std::vector<double> vector = {1e-20, 1}, ratios = {2, 2};
  const Certificate proof =
      certify(evidence_of(vector, ratios), {.relative = 0, .smallest = 1e-30, .floor = 0}).value();
  // Two products, in the small component's row.
  EXPECT_LE(proof.lower, 2 - 2 * 1e-30 / 1e-20);
  EXPECT_GE(proof.upper, 2 + 2 * 1e-30 / 1e-20);
  EXPECT_NEAR(proof.lower, 2, 1e-8);
  EXPECT_NEAR(proof.upper, 2, 1e-8);
}

/// A divisor without its low part, and a ratio that lost its own.
TEST(CertificateTest, CountsWhatVectorAndRatiosMayHaveLost) {
  const std::vector<double> small = {0x1p-100, 1}, equal = {0x1p20, 0x1p20};
  const Certificate proof =
      certify(evidence_of(small, equal), {.relative = 0, .smallest = 0x1p-126, .floor = 0}).value();
  EXPECT_LE(proof.lower, 0x1p20 - 0x1p-6);
  EXPECT_GE(proof.upper, 0x1p20 + 0x1p-6);
  const std::vector<double> large = {0x1p16, 0x1p16}, ratios = {1e-32, 1e-32};
  const Certificate own =
      certify(evidence_of(large, ratios), {.relative = 0, .smallest = 0x1p-126, .floor = 0})
          .value();
  EXPECT_LE(own.lower, 1e-32 - 0x1p-126);
  EXPECT_GE(own.upper, 1e-32 + 0x1p-126);
}

TEST(CertificateTest, HasNoUpperBoundWhereTheSumOverflows) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const std::vector<double> vector = {1, 1}, ratios = {1, kMax};
  const Certificate proof =
      certify(evidence_of(vector, ratios), {.relative = 1e-15, .smallest = 0, .floor = 0}).value();
  EXPECT_EQ(proof.upper, INFINITY);
  EXPECT_EQ(proof.value, proof.lower);
  EXPECT_LE(proof.lower, 1);
}

TEST(CertificateTest, IsNoneWithoutAPositiveVectorAndFiniteRatios) {
  constexpr Precision kExact{.relative = 0, .smallest = 0, .floor = 0};
  const std::vector<double> ones = {1, 1};
  for (const double bad : {0.0, -1.0, std::nan(""), double{INFINITY}}) {
    EXPECT_FALSE(certify(evidence_of(std::vector<double>{1, bad}, ones), kExact));
    EXPECT_EQ(evidence_of(std::vector<double>{1, bad}, ones).unproven_row, 1u);
  }
  for (const double bad : {std::nan(""), double{INFINITY}}) {
    EXPECT_FALSE(certify(evidence_of(ones, std::vector<double>{bad, 1}), kExact));
    EXPECT_EQ(evidence_of(ones, std::vector<double>{bad, 1}).unproven_row, 0u);
  }
  EXPECT_FALSE(evidence_of(ones, ones).unproven_row);
  EXPECT_FALSE(certify(evidence_of({}, {}), kExact));
}

}  // namespace
}  // namespace tessera::eigen
