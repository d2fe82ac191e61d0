// The numbers of products by residues: weights, fractions and the range, in integers of 128 bits.
#include "multiply/nvidia/residues.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>

namespace {

using namespace tessera;
using namespace tessera::multiplication;

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

Wide range(Moduli moduli) {
  Wide all = 1;
  for (const unsigned modulus : moduli) all *= modulus;
  return all;
}

/// The residue nearest to zero.
int residue(Wide x, unsigned modulus) {
  const int rest = static_cast<int>((x % modulus + modulus) % modulus);
  return 2 * rest >= static_cast<int>(modulus) ? rest - static_cast<int>(modulus) : rest;
}

TEST(Residues, NoTwoModuliHaveACommonDivisorAndResiduesFitIntoAByte) {
  for (const Moduli moduli : {moduli_for(false), moduli_for(true)}) {
    for (std::size_t i = 0; i < moduli.size(); i++) {
      EXPECT_TRUE(moduli[i] == 256 || moduli[i] <= 253) << "see cl/nvidia/residues.cl";
      for (std::size_t j = 0; j < i; j++) EXPECT_EQ(std::gcd(moduli[i], moduli[j]), 1U);
    }
    EXPECT_EQ(range_of(moduli), static_cast<double>(range(moduli)));
  }
  EXPECT_GT(range_of(kModuli), 0x1p110);
  EXPECT_GT(range_of(kComplexModuli), 0x1p111);
  EXPECT_LT(kMaxResidueProducts * 127 * 127, std::size_t{1} << 31);
}

TEST(Residues, WeightsAreResiduesOfPowersOf256) {
  for (const unsigned modulus : kModuli) {
    for (const unsigned first : {0U, 4U}) {
      const std::uint32_t word = residue_weights(modulus, first);
      for (unsigned i = 0; i < 4; i++) {
        const auto weight = static_cast<std::int8_t>(word >> 8 * i & 0xff);
        EXPECT_EQ(residue(weight, modulus), residue(Wide{1} << 8 * (first + i), modulus));
        EXPECT_LE(std::abs(weight), 127);
      }
    }
  }
}

TEST(Residues, TurnedWeightsAreResiduesOfMultiplesOfARootOfMinusOne) {
  EXPECT_EQ(root_of_minus_one(7), 0U);
  for (const unsigned modulus : kComplexModuli) {
    const unsigned root = root_of_minus_one(modulus);
    ASSERT_GT(root, 0U) << modulus;
    EXPECT_EQ((root * root + 1) % modulus, 0U);
    for (unsigned i = 0; i < 8; i++) {
      const auto weight =
          static_cast<std::int8_t>(residue_weights(modulus, i / 4 * 4, root) >> 8 * (i % 4) & 0xff);
      EXPECT_EQ(residue(weight, modulus), residue((Wide{1} << 8 * i) * root, modulus));
    }
  }
}

TEST(Residues, FractionsBringIntegersBackFromTheirResidues) {
  std::mt19937_64 random(20261124);
  for (int turn = 0; turn < 1000; turn++) {
    // Of every magnitude up to half of the range, and as near to it as the kernel comes.
    Wide x = (static_cast<Wide>(random() >> 1) << 64 | random()) >> (turn % 127);
    x = x % (range(kModuli) / 2);
    if (turn == 0) x = range(kModuli) / 2 - (range(kModuli) >> 31);
    if (turn % 2 == 1) x = -x;
    UnsignedWide sum = 0;  // times 2^96, modulo 2^96
    for (std::size_t i = 0; i < kModuli.size(); i++) {
      const Fraction fraction = residue_fraction(kModuli, i);
      sum += static_cast<UnsignedWide>(Wide{residue(x, kModuli[i])}) *
             (static_cast<UnsignedWide>(fraction.high) << 32 | fraction.rest);
    }
    const double value = std::ldexp(static_cast<double>(static_cast<Wide>(sum << 32)), -128);
    const double exact = static_cast<double>(x) / static_cast<double>(range(kModuli));
    EXPECT_NEAR(value, exact, 0x1p-51 * std::fabs(exact) + 0x1p-84) << "turn " << turn;
  }
}

TEST(Residues, FractionsBringBothPartsOfComplexIntegersBack) {
  const auto fractions = residue_fractions(true);
  const std::size_t count = kComplexModuli.size();
  ASSERT_EQ(fractions.size(), 2 * count);
  std::mt19937_64 random(20261129);
  for (int turn = 0; turn < 500; turn++) {
    const auto number = [&] {
      const Wide x = (static_cast<Wide>(random() >> 1) << 64 | random()) >> (17 + turn % 100);
      return random() % 2 == 0 ? x : -x;
    };
    const Wide re = number(), im = number();
    for (const bool imaginary : {false, true}) {
      UnsignedWide sum = 0;  // times 2^96, modulo 2^96
      for (std::size_t i = 0; i < count; i++) {
        const unsigned modulus = kComplexModuli[i];
        const Wide turned = Wide{residue(im, modulus)} * root_of_minus_one(modulus);
        const int plus = residue(residue(re, modulus) + turned, modulus),
                  minus = residue(residue(re, modulus) - turned, modulus);
        const Fraction fraction = fractions[imaginary ? count + i : i];
        sum += static_cast<UnsignedWide>(Wide{imaginary ? plus - minus : plus + minus}) *
               (static_cast<UnsignedWide>(fraction.high) << 32 | fraction.rest);
      }
      const double value = std::ldexp(static_cast<double>(static_cast<Wide>(sum << 32)), -128);
      const double exact =
          static_cast<double>(imaginary ? im : re) / static_cast<double>(range(kComplexModuli));
      EXPECT_NEAR(value, exact, 0x1p-51 * std::fabs(exact) + 0x1p-83) << "turn " << turn;
    }
  }
}

}  // namespace
