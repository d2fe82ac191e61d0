// Decimal: a number in text as the nearest double, and whether it is exactly that.
#pragma once

#include <optional>
#include <string_view>

namespace tessera::tool {

struct Decimal {
  double value = 0;
  bool exact = true;  ///< false also for some numbers of more than 19 digits that are exact
};

/// A number that fills the text, with an exponent as C or Fortran writes it: 1.5e3, 1.5D+03.
/// Nothing if it is none or does not fit in a double.
std::optional<Decimal> decimal(std::string_view text);

/// A quotient of two integers that fills the text: 1/3. Nothing if it is none or is not finite.
std::optional<Decimal> fraction(std::string_view text);

}  // namespace tessera::tool
