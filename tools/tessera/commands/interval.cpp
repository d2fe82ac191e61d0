// Rounding outwards, in binary and in decimal.
#include "commands/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace tessera::tool {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// digits[0].digits[1]digits[2]… * 10^exponent, without zeros at the end.
struct Digits {
  std::string digits;
  int exponent = 0;
};

/// A number > 0, exactly: no double has more digits.
Digits exact_digits(double number) {
  constexpr int kMax = 767;
  const std::string text = fmt::format("{:.{}e}", number, kMax - 1);
  const auto letter = text.find('e');
  Digits result{text.substr(0, 1) + text.substr(2, letter - 2), std::stoi(text.substr(letter + 1))};
  result.digits.erase(result.digits.find_last_not_of('0') + 1);
  return result;
}

/// As many digits as asked for, rounded down or up.
Digits cut(Digits number, std::size_t count, bool up) {
  if (number.digits.size() <= count) return number;
  number.digits.resize(count);
  if (up) {
    const auto last = number.digits.find_last_not_of('9');
    if (last == std::string::npos) {
      number.digits = "1";
      number.exponent++;
    } else {
      number.digits.resize(last + 1);
      number.digits[last]++;
    }
  }
  number.digits.erase(number.digits.find_last_not_of('0') + 1);
  return number;
}

/// Formats a number like %g.
std::string decimal_text(const Digits& number) {
  constexpr int kMaxExponent = 17;
  const auto count = static_cast<int>(number.digits.size());
  if (number.exponent < -5 || number.exponent >= kMaxExponent) {
    return fmt::format("{}{}{}e{:+03}", number.digits[0], count > 1 ? "." : "",
                       number.digits.substr(1), number.exponent);
  }
  if (number.exponent < 0)
    return "0." + std::string(static_cast<std::size_t>(-number.exponent - 1), '0') + number.digits;
  const auto before = static_cast<std::size_t>(number.exponent + 1);
  if (number.digits.size() <= before)
    return number.digits + std::string(before - number.digits.size(), '0');
  return number.digits.substr(0, before) + "." + number.digits.substr(before);
}

std::string decimal_text(double number, int digits, bool up) {
  if (!(number > 0 && number < kInfinity)) return fmt::format("{}", number);
  return decimal_text(cut(exact_digits(number), static_cast<std::size_t>(digits), up));
}

}  // namespace

EigenBounds widened(const EigenBounds& bounds, double rounding) {
  if (rounding == 0 || rounding == kInfinity) return bounds;
  // One step further than the nearest, as the differences are rounded.
  const double lower = std::nextafter(bounds.lower - bounds.lower * rounding, -kInfinity),
               upper = std::nextafter(bounds.upper + bounds.upper * rounding, kInfinity);
  return {std::max(lower, 0.0), bounds.upper == 0 ? 0 : upper};
}

double widening(double rounding) {
  return rounding == 0 || rounding == kInfinity ? 0 : 2 * rounding + 0x1p-50;
}

IntervalText interval_text(const EigenBounds& bounds) {
  constexpr int kDigits = 15, kMaxDigits = 17;
  IntervalText text{decimal_text(bounds.lower, kDigits, false),
                    decimal_text(bounds.upper, kDigits, true), kDigits};
  double lower = 0, upper = 0;
  std::from_chars(text.lower.data(), text.lower.data() + text.lower.size(), lower);
  std::from_chars(text.upper.data(), text.upper.data() + text.upper.size(), upper);
  if (upper - lower <= 1.1 * (bounds.upper - bounds.lower) || upper == kInfinity) return text;
  return {decimal_text(bounds.lower, kMaxDigits, false),
          decimal_text(bounds.upper, kMaxDigits, true), kMaxDigits};
}

}  // namespace tessera::tool
