// Weights and fractions of the moduli, in integers.
#include "multiply/nvidia/residues.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "runtime/fma.hpp"

namespace tessera::inline v0::multiplication {
namespace {

/// The values of `number` for all moduli, as a list in C.
template <class Number>
std::string list(const char* format, Number&& number) {
  std::vector<std::string> all;
  all.reserve(kModuli.size());
  for (std::size_t i = 0; i < kModuli.size(); i++)
    all.push_back(fmt::format(fmt::runtime(format), number(i)));
  return fmt::format("{}", fmt::join(all, ","));
}

/// The product of the moduli from `first` on, `count` of them: up to six are exact.
double product(std::size_t first, std::size_t count) {
  double all = 1;
  for (std::size_t i = first; i < first + count; i++) all *= kModuli[i];
  return all;
}

}  // namespace

std::uint32_t residue_weights(unsigned modulus, unsigned first) {
  std::uint32_t word = 0;
  unsigned weight = 1;
  for (unsigned power = 0; power < first + 4; power++) {
    const bool is_nearer_below = 2 * weight > modulus;
    const unsigned byte = (is_nearer_below ? weight - modulus : weight) & 0xffU;
    if (power >= first) word |= byte << 8 * (power - first);
    weight = weight * 256 % modulus;
  }
  return word;
}

Fraction residue_fraction(std::size_t i) {
  const std::uint64_t modulus = kModuli[i];
  std::uint64_t others = 1;
  for (std::size_t other = 0; other < kModuli.size(); other++) {
    if (other != i) others = others * kModuli[other] % modulus;
  }
  std::uint64_t inverse = 1;
  while (inverse * others % modulus != 1) inverse++;
  std::array<std::uint64_t, 3> digits = {};  // of 32 bits
  std::uint64_t left = inverse;
  for (std::uint64_t& digit : digits) {
    digit = (left << 32) / modulus;
    left = (left << 32) % modulus;
  }
  return {digits[0] << 32 | digits[1], static_cast<std::uint32_t>(digits[2])};
}

double range_of_moduli() {
  static_assert(kModuli.size() == 14);
  const double x = product(0, 6), y = product(6, 6), z = product(12, 2);
  const double high = x * y, low = runtime::fma(x, y, -high);
  return runtime::fma(high, z, low * z);
}

std::string residue_options() {
  constexpr unsigned kStart = 3U << 22;
  // So that the last bits of the norms' product cannot reach half of the range.
  const double largest = range_of_moduli() * (0.5 - 0x1p-30);
  return fmt::format(
      " -D PLANES={} -D MODULI={} -D INVERSES={} -D LOW_WEIGHTS={} -D HIGH_WEIGHTS={} -D STARTS={} "
      "-D FRACTIONS={} -D FRACTIONS_REST={} -D RANGE={:.17g} -D LARGEST={:.17g}",
      kModuli.size(), list("{}", [](std::size_t i) { return kModuli[i]; }),
      list("{:.9g}f", [](std::size_t i) { return 1 / static_cast<float>(kModuli[i]); }),
      list("{:#x}u", [](std::size_t i) { return residue_weights(kModuli[i], 0); }),
      list("{:#x}u", [](std::size_t i) { return residue_weights(kModuli[i], 4); }),
      list("{}u", [](std::size_t i) { return kStart / (256 * kModuli[i]) * 256 * kModuli[i]; }),
      list("{:#x}ul", [](std::size_t i) { return residue_fraction(i).high; }),
      list("{:#x}u", [](std::size_t i) { return residue_fraction(i).rest; }), range_of_moduli(),
      largest);
}

}  // namespace tessera::inline v0::multiplication
