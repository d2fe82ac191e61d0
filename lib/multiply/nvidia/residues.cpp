// Weights and fractions of the moduli, in integers.
#include "multiply/nvidia/residues.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "runtime/fma.hpp"

namespace tessera::inline v0::multiplication {
namespace {

/// The first `count` values of `number`, as a list in C.
template <class Number>
std::string list(std::size_t count, const char* format, Number&& number) {
  std::vector<std::string> all;
  all.reserve(count);
  for (std::size_t i = 0; i < count; i++)
    all.push_back(fmt::format(fmt::runtime(format), number(i)));
  return fmt::format("{}", fmt::join(all, ","));
}

/// The product of up to six moduli, which is exact.
double product(Moduli moduli) {
  double all = 1;
  for (const unsigned modulus : moduli) all *= modulus;
  return all;
}

}  // namespace

unsigned root_of_minus_one(unsigned modulus) {
  for (unsigned root = 1; root < modulus; root++) {
    if ((root * root + 1) % modulus == 0) return root;
  }
  return 0;
}

std::uint32_t residue_weights(unsigned modulus, unsigned first, unsigned factor) {
  std::uint32_t word = 0;
  unsigned weight = factor % modulus;
  for (unsigned power = 0; power < first + 4; power++) {
    const bool is_nearer_below = 2 * weight > modulus;
    const unsigned byte = (is_nearer_below ? weight - modulus : weight) & 0xffU;
    if (power >= first) word |= byte << 8 * (power - first);
    weight = weight * 256 % modulus;
  }
  return word;
}

Fraction residue_fraction(Moduli moduli, std::size_t i, unsigned factor) {
  const std::uint64_t modulus = moduli[i];
  std::uint64_t others = 1;
  for (std::size_t other = 0; other < moduli.size(); other++) {
    if (other != i) others = others * moduli[other] % modulus;
  }
  std::uint64_t inverse = 1;
  while (inverse * others % modulus != 1) inverse++;
  std::array<std::uint64_t, 3> digits = {};  // of 32 bits
  std::uint64_t left = inverse * factor % modulus;
  for (std::uint64_t& digit : digits) {
    digit = (left << 32) / modulus;
    left = (left << 32) % modulus;
  }
  return {digits[0] << 32 | digits[1], static_cast<std::uint32_t>(digits[2])};
}

std::vector<Fraction> residue_fractions(bool complex) {
  const Moduli moduli = moduli_for(complex);
  std::vector<Fraction> all;
  for (const bool imaginary : {false, true}) {
    if (imaginary && !complex) continue;
    for (std::size_t i = 0; i < moduli.size(); i++) {
      const unsigned modulus = moduli[i], half = (modulus + 1) / 2;
      // 1 / root is -root.
      const unsigned factor = !complex    ? 1
                              : imaginary ? half * (modulus - root_of_minus_one(modulus)) % modulus
                                          : half;
      all.push_back(residue_fraction(moduli, i, factor));
    }
  }
  return all;
}

double range_of(Moduli moduli) {
  const double x = product(moduli.first(6)), y = product(moduli.subspan(6, 6)),
               z = product(moduli.subspan(12));
  const double high = x * y, low = runtime::fma(x, y, -high);
  return runtime::fma(high, z, low * z);
}

std::string residue_options(bool complex) {
  constexpr unsigned kStart = 3U << 22;
  const Moduli moduli = moduli_for(complex);
  const std::vector<Fraction> fractions = residue_fractions(complex);
  const auto of_moduli = [&](const char* format, auto&& number) {
    return list(moduli.size(), format, [&](std::size_t i) { return number(moduli[i]); });
  };
  const auto turned = [&](unsigned first) {
    return of_moduli("{:#x}u", [&](unsigned modulus) {
      return residue_weights(modulus, first, root_of_minus_one(modulus));
    });
  };
  // So that the last bits of the norms' product cannot reach half of the range.
  const double range = range_of(moduli), largest = range * (0.5 - 0x1p-30);
  const std::string of_complex =
      complex
          ? fmt::format(" -D TURNED_LOW_WEIGHTS={} -D TURNED_HIGH_WEIGHTS={}", turned(0), turned(4))
          : "";
  return fmt::format(
      " -D PLANES={} -D MODULI={} -D INVERSES={} -D LOW_WEIGHTS={} -D HIGH_WEIGHTS={}{} "
      "-D STARTS={} -D FRACTIONS={} -D FRACTIONS_REST={} -D RANGE={:.17g} -D LARGEST={:.17g}",
      planes_for(complex), of_moduli("{}", [](unsigned modulus) { return modulus; }),
      of_moduli("{:.9g}f", [](unsigned modulus) { return 1 / static_cast<float>(modulus); }),
      of_moduli("{:#x}u", [](unsigned modulus) { return residue_weights(modulus, 0); }),
      of_moduli("{:#x}u", [](unsigned modulus) { return residue_weights(modulus, 4); }), of_complex,
      of_moduli("{}u", [](unsigned modulus) { return kStart / (256 * modulus) * 256 * modulus; }),
      list(fractions.size(), "{:#x}ul", [&](std::size_t i) { return fractions[i].high; }),
      list(fractions.size(), "{:#x}u", [&](std::size_t i) { return fractions[i].rest; }), range,
      largest);
}

}  // namespace tessera::inline v0::multiplication
