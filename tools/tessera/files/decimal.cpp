// Reading decimals, and deciding in integers whether a double holds one exactly.
#include "files/decimal.hpp"

#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "text.hpp"

namespace tessera::tool {
namespace {

/// digits * 10^exponent. `fits` is false if there are more digits than the integer can hold.
struct Scaled {
  std::uint64_t digits = 0;
  long long exponent = 0;
  bool fits = true;
};

/// `text` is a finite number as std::from_chars accepts it.
Scaled scaled(std::string_view text) {
  constexpr std::uint64_t kMax = (std::numeric_limits<std::uint64_t>::max() - 9) / 10;
  Scaled result;
  bool is_fraction = false;
  std::size_t i = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  for (; i < text.size() && (text[i] == '.' || std::isdigit(static_cast<unsigned char>(text[i])));
       i++) {
    if (text[i] == '.') {
      is_fraction = true;
    } else if (result.digits <= kMax) {
      result.digits = 10 * result.digits + static_cast<std::uint64_t>(text[i] - '0');
      if (is_fraction) result.exponent--;
    } else {  // a zero after the digits that fit changes the exponent alone
      if (text[i] != '0') result.fits = false;
      if (!is_fraction) result.exponent++;
    }
  }
  if (i < text.size()) {  // e+05
    auto exponent = text.substr(i + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    long long value = 0;
    const auto read = std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
    constexpr long long kLimit = 1'000'000;
    if (read.ec != std::errc() || value < -kLimit || value > kLimit) result.fits = false;
    result.exponent += result.fits ? value : 0;
  }
  return result;
}

/// Returns whether a double of the normal range holds the number exactly. Its odd part must have no
/// factor 1/5 and 53 bits.
bool is_exact(Scaled number) {
  if (number.digits == 0) return true;
  if (!number.fits) return false;
  for (; number.exponent < 0; number.exponent++) {
    if (number.digits % 5 != 0) return false;
    number.digits /= 5;
  }
  constexpr std::uint64_t kMax = std::uint64_t(1) << 53;
  number.digits >>= std::countr_zero(number.digits);
  for (; number.exponent > 0 && number.digits < kMax; number.exponent--) number.digits *= 5;
  return number.digits < kMax;
}

/// 1.5D+03 as 1.5e+03; empty if there is no such exponent.
std::string with_c_exponent(std::string_view text) {
  const auto letter = text.find_first_of("dD");
  if (letter == std::string_view::npos) return {};
  std::string result(text);
  result[letter] = 'e';
  return result;
}

}  // namespace

std::optional<Decimal> decimal(std::string_view text) {
  text = trimmed(text);
  const auto value = number(text);
  if (value) return Decimal{*value, !std::isfinite(*value) || is_exact(scaled(text))};
  const std::string c_text = with_c_exponent(text);
  const auto c_value = c_text.empty() ? std::nullopt : number(c_text);
  if (!c_value || !std::isfinite(*c_value)) return std::nullopt;
  return Decimal{*c_value, is_exact(scaled(c_text))};
}

std::optional<Decimal> fraction(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto numerator = integer(text.substr(0, slash)),
             denominator = integer(text.substr(slash + 1));
  constexpr long long kMax = 1LL << 53;  // so that both are exact
  const auto is_exact_double = [](long long value) { return value >= -kMax && value <= kMax; };
  if (!numerator || !denominator || *denominator == 0 || !is_exact_double(*numerator) ||
      !is_exact_double(*denominator))
    return std::nullopt;
  const auto above = static_cast<double>(*numerator), below = static_cast<double>(*denominator);
  const double quotient = above / below;
  return Decimal{quotient, std::fma(quotient, below, -above) == 0};
}

}  // namespace tessera::tool
