// The numbers that cl/nvidia/residues.cl computes with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tessera::inline v0::multiplication {

/// No two have a common divisor, and residues nearest to zero fit into a signed byte, even if the
/// quotient is wrong as cl/nvidia/residues.cl says. Their product is above 2^110.
inline constexpr std::array<unsigned, 14> kModuli = {256, 253, 251, 249, 247, 245, 241,
                                                     239, 233, 229, 227, 223, 211, 199};

/// The same of complex integers, above 2^111. -1 has a root modulo each, because the prime factors
/// are 1 modulo 4. Then z becomes two residues, re z + root im z and re z - root im z, and the
/// product of two complex numbers is two products of residues. (Signal processing calls it the
/// quadratic residue number system: Abdallah and Skavantzos, "On the binary quadratic residue
/// system with noncoprime moduli", 1997.)
inline constexpr std::array<unsigned, 15> kComplexModuli = {241, 233, 229, 221, 205, 197, 193, 181,
                                                            173, 157, 149, 137, 113, 109, 101};

using Moduli = std::span<const unsigned>;

constexpr Moduli moduli_for(bool complex) {
  return complex ? Moduli(kComplexModuli) : Moduli(kModuli);
}

/// Matrices of residues that an operand becomes.
constexpr std::size_t planes_for(bool complex) {
  return complex ? 2 * kComplexModuli.size() : kModuli.size();
}

/// So many products of residues, of at most 127 x 127, fit into 32 bits; modulo 256 the sum may
/// wrap around.
inline constexpr std::size_t kMaxResidueProducts = std::size_t{1} << 17;

/// The least root of -1 modulo a modulus; 0 if there is none.
unsigned root_of_minus_one(unsigned modulus);

/// The residues nearest to zero of factor * 256^first to factor * 256^(first + 3), as the bytes of
/// a word, the first lowest.
std::uint32_t residue_weights(unsigned modulus, unsigned first, unsigned factor = 1);

/// A number below 1, from its first 96 bits.
struct Fraction {
  std::uint64_t high;
  std::uint32_t rest;
};

/// The inverse of the product of the other moduli, times a factor, modulo modulus i, divided by
/// that modulus.
Fraction residue_fraction(Moduli moduli, std::size_t i, unsigned factor = 1);

/// residue_fraction() of each modulus. Of complex numbers, the first bring real parts back from the
/// sums of both residues, re + root im and re - root im for a root of -1, and the others imaginary
/// parts from the differences.
std::vector<Fraction> residue_fractions(bool complex);

/// The product of the moduli, to the nearest double.
double range_of(Moduli moduli);

/// The build options for cl/nvidia/residues.cl and residue_planes.cl.
std::string residue_options(bool complex);

}  // namespace tessera::inline v0::multiplication
