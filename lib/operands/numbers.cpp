// Conversions between doubles and elements: the one place that knows each type's C++ type.
#include "operands/numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace operands {
namespace {

/// Calls `call` with a zero of the type, or of a complex type's parts.
template <class Call>
decltype(auto) with_type(ElementType type, Call&& call) {
  switch (type) {
    case ElementType::float64:
    case ElementType::complex128: return call(double());
    case ElementType::int32: return call(std::int32_t());
    case ElementType::float16: return call(half());
    case ElementType::int8: return call(std::int8_t());
    case ElementType::bfloat16: return call(bfloat16());
    case ElementType::float32:
    case ElementType::complex64: break;
  }
  return call(float());
}

template <class T>
double widened(T element) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(element);
  } else {
    return static_cast<float>(element);
  }
}

template <class T>
T narrowed(double value) {
  if constexpr (std::integral<T>) {
    return static_cast<T>(static_cast<std::uint32_t>(static_cast<std::int64_t>(value)));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(value);
  } else {
    return T(static_cast<float>(value));
  }
}

template <class T>
T element_at(const void* data, std::size_t index) {
  T element;
  std::memcpy(&element, static_cast<const std::byte*>(data) + index * sizeof(T), sizeof(T));
  return element;
}

}  // namespace

double rounded(ElementType type, double value) {
  return with_type(type, [&](auto zero) { return widened(narrowed<decltype(zero)>(value)); });
}

double Elements::operator[](std::size_t index) const {
  return with_type(type_,
                   [&](auto zero) { return widened(element_at<decltype(zero)>(data_, index)); });
}

std::vector<double> numbers_of(ElementType type, std::span<const std::byte> elements) {
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<double> numbers(elements.size() / sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); i++)
      numbers[i] = widened(element_at<T>(elements.data(), i));
    return numbers;
  });
}

std::vector<std::byte> elements_of(ElementType type, std::span<const double> numbers) {
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<std::byte> elements(numbers.size() * sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); i++) {
      const T element = narrowed<T>(numbers[i]);
      std::memcpy(elements.data() + i * sizeof(T), &element, sizeof(T));
    }
    return elements;
  });
}

Scalar factor_of(const char* operation, const char* name, const Scalar& factor, ElementType sum) {
  if (factor.imaginary() != 0 && !is_complex(sum)) {
    throw ArgumentError(ErrorCode::invalid_value,
                        fmt::format("{}: {} is {}; expected a real number for matrices of {}",
                                    operation, name, to_string(factor), to_string(sum)));
  }
  using Limits = std::numeric_limits<std::int32_t>;
  const double value = factor.real();
  const bool is_int32 =
      value >= Limits::min() && value <= Limits::max() && value == std::trunc(value);
  if (is_integer(sum) && !is_int32) {
    throw ArgumentError(
        ErrorCode::invalid_value,
        fmt::format("{}: {} is {}; expected an integer of 32 bits", operation, name, value));
  }
  return std::complex(rounded(sum, value), rounded(sum, factor.imaginary()));
}

runtime::Value value_of(const Scalar& number, ElementType type) {
  return with_type(type, [&](auto zero) {
    const auto real = narrowed<decltype(zero)>(number.real());
    if (!is_complex(type)) return runtime::value_of(real);
    return runtime::value_of(std::array{real, narrowed<decltype(zero)>(number.imaginary())});
  });
}

}  // namespace operands

std::string to_string(const Scalar& scalar) {
  if (scalar.imaginary() == 0) return fmt::format("{}", scalar.real());
  return fmt::format("{}{:+}i", scalar.real(), scalar.imaginary());
}

}  // namespace tessera::inline v0
