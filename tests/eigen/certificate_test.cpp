// The certificate: an interval that rounding cannot make wrong.
#include "eigen/certificate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tessera::eigen {
namespace {

TEST(CertificateTest, GoesOutwards) {
  const std::vector<double> vector = {0.5, 1}, ratios = {3, 4};
  const Certificate proof = certify(vector, ratios, {.relative = 1e-10, .smallest = 0, .floor = 0});
  EXPECT_LE(proof.lower, 3 * (1 - 1e-10));
  EXPECT_GE(proof.upper, 4 * (1 + 1e-10));
  EXPECT_NEAR(proof.lower, 3, 1e-9);
  EXPECT_NEAR(proof.upper, 4, 1e-9);
  EXPECT_NEAR(proof.value, 3.5, 1e-9);
  EXPECT_NEAR(proof.residual, 0.5 / 3.5, 1e-9);
  EXPECT_EQ(proof.largest, 1);
  EXPECT_TRUE(proof.positive);
}

TEST(CertificateTest, CountsWhatTheDeviceMayNotHaveSeen) {
  const std::vector<double> vector = {1e-20, 1}, ratios = {2, 2};
  const Certificate proof =
      certify(vector, ratios, {.relative = 0, .smallest = 0, .floor = 0x1p-126});
  // Two elements below the floor, in the small component's row.
  EXPECT_GE(proof.upper, 2 + 2 * 0x1p-126 / 1e-20);
  EXPECT_LE(proof.lower, 2);
}

TEST(CertificateTest, CountsWhatProductsMayHaveLost) {
  const std::vector<double> vector = {1e-20, 1}, ratios = {2, 2};
  const Certificate proof = certify(vector, ratios, {.relative = 0, .smallest = 1e-30, .floor = 0});
  // Two products, in the small component's row.
  EXPECT_LE(proof.lower, 2 - 2 * 1e-30 / 1e-20);
  EXPECT_GE(proof.upper, 2 + 2 * 1e-30 / 1e-20);
  EXPECT_NEAR(proof.lower, 2, 1e-8);
  EXPECT_NEAR(proof.upper, 2, 1e-8);
}

TEST(CertificateTest, ProvesNothingWithoutAPositiveVector) {
  for (const double component : {0.0, -1.0, std::nan("")}) {
    const std::vector<double> vector = {component, 1}, ratios = {1, 1};
    EXPECT_FALSE(certify(vector, ratios, {.relative = 0, .smallest = 0, .floor = 0}).positive);
  }
  const std::vector<double> vector = {1, 1}, ratios = {1, INFINITY};
  EXPECT_FALSE(certify(vector, ratios, {.relative = 0, .smallest = 0, .floor = 0}).positive);
}

}  // namespace
}  // namespace tessera::eigen
