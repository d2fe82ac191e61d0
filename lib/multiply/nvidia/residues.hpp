// The numbers that cl/nvidia/residues.cl computes with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tessera::inline v0::multiplication {

/// No two have a common divisor, and residues nearest to zero fit into a signed byte, even if the
/// quotient is wrong as cl/nvidia/residues.cl says. Their product is above 2^110.
inline constexpr std::array<unsigned, 14> kModuli = {256, 253, 251, 249, 247, 245, 241,
                                                     239, 233, 229, 227, 223, 211, 199};

/// So many products of residues, of at most 127 x 127, fit into 32 bits; modulo 256 the sum may
/// wrap around.
inline constexpr std::size_t kMaxResidueProducts = std::size_t{1} << 17;

/// The residues nearest to zero of 256^first to 256^(first + 3), as the bytes of a word, the first
/// lowest.
std::uint32_t residue_weights(unsigned modulus, unsigned first);

/// A number below 1, from its first 96 bits.
struct Fraction {
  std::uint64_t high;
  std::uint32_t rest;
};

/// The inverse of the product of the other moduli, modulo modulus i, divided by that modulus.
Fraction residue_fraction(std::size_t i);

/// The product of the moduli, to the nearest double.
double range_of_moduli();

/// The build options for cl/nvidia/residues.cl and residue_planes.cl.
std::string residue_options();

}  // namespace tessera::inline v0::multiplication
