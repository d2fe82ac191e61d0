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

Wide range() {
  Wide all = 1;
  for (const unsigned modulus : kModuli) all *= modulus;
  return all;
}

/// The residue nearest to zero.
int residue(Wide x, unsigned modulus) {
  const int rest = static_cast<int>((x % modulus + modulus) % modulus);
  return 2 * rest >= static_cast<int>(modulus) ? rest - static_cast<int>(modulus) : rest;
}

TEST(Residues, NoTwoModuliHaveACommonDivisorAndResiduesFitIntoAByte) {
  for (std::size_t i = 0; i < kModuli.size(); i++) {
    EXPECT_TRUE(kModuli[i] == 256 || kModuli[i] <= 253) << "see cl/nvidia/residues.cl";
    for (std::size_t j = 0; j < i; j++) EXPECT_EQ(std::gcd(kModuli[i], kModuli[j]), 1U);
  }
  EXPECT_EQ(range_of_moduli(), static_cast<double>(range()));
  EXPECT_GT(range_of_moduli(), 0x1p110);
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

TEST(Residues, FractionsBringIntegersBackFromTheirResidues) {
  std::mt19937_64 random(20261124);
  for (int turn = 0; turn < 1000; turn++) {
    // Of every magnitude up to half of the range, and as near to it as the kernel comes.
    Wide x = (static_cast<Wide>(random() >> 1) << 64 | random()) >> (turn % 127);
    x = x % (range() / 2);
    if (turn == 0) x = range() / 2 - (range() >> 31);
    if (turn % 2 == 1) x = -x;
    UnsignedWide sum = 0;  // times 2^96, modulo 2^96
    for (std::size_t i = 0; i < kModuli.size(); i++) {
      const Fraction fraction = residue_fraction(i);
      sum += static_cast<UnsignedWide>(Wide{residue(x, kModuli[i])}) *
             (static_cast<UnsignedWide>(fraction.high) << 32 | fraction.rest);
    }
    const double value = std::ldexp(static_cast<double>(static_cast<Wide>(sum << 32)), -128);
    const double exact = static_cast<double>(x) / static_cast<double>(range());
    EXPECT_NEAR(value, exact, 0x1p-51 * std::fabs(exact) + 0x1p-84) << "turn " << turn;
  }
}

}  // namespace
