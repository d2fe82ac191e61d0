// Elements of matrices in host memory: from doubles, and back.
#include "files/any_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>

#include "element_types.hpp"
#include "platform/system.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <Element T>
T element_of(double number) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(number);
  } else {
    return T(static_cast<float>(number));
  }
}

template <Element T>
double number_of(T element) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(element);
  } else {
    return float(element);
  }
}

double smallest_normal(ElementType type) {
  return type == ElementType::float64   ? 0x1p-1022
         : type == ElementType::float16 ? 0x1p-14
                                        : 0x1p-126;
}

template <Element T>
bool fits(double number) {
  if constexpr (std::integral<T>) {
    return number >= std::numeric_limits<T>::min() && number <= std::numeric_limits<T>::max() &&
           number == std::trunc(number);
  } else {
    return std::same_as<T, double> || !std::isfinite(number) ||
           std::isfinite(number_of(element_of<T>(number)));
  }
}

/// Why a number does not fit.
std::string misfit(ElementType type, double number) {
  if (!is_integer(type)) return fmt::format("does not fit in {}", to_string(type));
  const double limit = type == ElementType::int8 ? 0x1p7 : 0x1p31;
  if (number >= -limit && number < limit)
    return fmt::format("is not an integer, and the type is {} (--dtype double)", to_string(type));
  return fmt::format("does not fit in {} (--dtype {})", to_string(type),
                     type == ElementType::int8 ? "int32 or double" : "double");
}

[[noreturn]] void refuse(ElementType type, double number, const std::string& where) {
  throw UsageError(fmt::format("{}: {} {}", where, number, misfit(type, number)));
}

/// The `rounding` of `stored`, the nearest element to `number`.
template <Element T>
double rounding_of(double number, T stored) {
  if (number_of(stored) == number || std::isnan(number)) return 0;
  constexpr ElementType kType = kElementType<T>;
  return std::fabs(number) >= smallest_normal(kType) ? unit_roundoff(kType) : kInfinity;
}

/// Real numbers as parts of complex ones.
void with_imaginary_zeros(std::vector<double>& numbers) {
  std::vector<double> parts(2 * numbers.size());
  for (std::size_t i = 0; i < numbers.size(); i++) parts[2 * i] = numbers[i];
  numbers = std::move(parts);
}

}  // namespace

AnyMatrix::AnyMatrix(ElementType of_type, const Shape& of_shape) : type(of_type), shape(of_shape) {
  const auto bytes = std::make_shared<std::vector<std::byte>>(shape.count() * element_size(type));
  memory = bytes;
  elements = *bytes;
}

AnyMatrix::AnyMatrix(ElementType of_type, const Shape& of_shape, std::shared_ptr<void> owner,
                     void* data)
    : type(of_type),
      shape(of_shape),
      memory(std::move(owner)),
      elements(static_cast<std::byte*>(data), shape.count() * element_size(type)) {}

double AnyMatrix::operator[](std::size_t index) const {
  return with_type(type, [&](auto element) {
    std::memcpy(&element, elements.data() + index * sizeof element, sizeof element);
    return number_of(element);
  });
}

double nearest(ElementType type, double number) {
  return with_type(type, [&](auto zero) { return number_of(element_of<decltype(zero)>(number)); });
}

double rounding_to_double(double nearest) {
  constexpr ElementType kType = ElementType::float64;
  return std::fabs(nearest) > smallest_normal(kType) ? unit_roundoff(kType) : kInfinity;
}

double rounded_again(double first, double second) {
  if (first == 0 || second == 0) return first + second;
  return std::nextafter(first + second + first * second, kInfinity);
}

void require_fit(ElementType type, double number, const std::function<std::string()>& where) {
  if (!with_type(type, [&](auto zero) { return fits<decltype(zero)>(number); }))
    refuse(type, number, where());
}

double store(std::span<const double> numbers, ElementType type, std::byte* to,
             const std::function<std::string(std::size_t)>& where) {
  double rounding = 0;
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    for (std::size_t i = 0; i < numbers.size(); i++) {
      const double number = numbers[i];
      if (!fits<T>(number)) refuse(type, number, where(i));
      const T element = element_of<T>(number);
      rounding = std::max(rounding, rounding_of(number, element));
      std::memcpy(to + i * sizeof(T), &element, sizeof(T));  // never beyond number i
    }
  });
  return rounding;
}

void require_parts(std::size_t parts, ElementType type, const std::string& name) {
  if (parts <= parts_of(type)) return;
  throw UsageError(
      fmt::format("{}: has complex numbers; expected real ones for {}", name, to_string(type)));
}

AnyMatrix converted(Numbers numbers, ElementType type, const std::string& name) {
  const Shape shape{numbers.rows, numbers.columns};
  require_parts(numbers.parts, type, name);
  if (numbers.parts < parts_of(type)) with_imaginary_zeros(numbers.elements);
  const std::size_t columns = shape.columns * parts_of(type);
  const auto memory = std::make_shared<std::vector<double>>(std::move(numbers.elements));
  double rounding = 0;
  if (type != ElementType::float64) {
    rounding = store(
        *memory, type, reinterpret_cast<std::byte*>(memory->data()),
        [&](std::size_t i) { return place_in(name, i / columns, i % columns / parts_of(type)); });
    const std::size_t bytes = shape.count() * element_size(type);
    memory->resize((bytes + sizeof(double) - 1) / sizeof(double));
    memory->shrink_to_fit();
  }
  AnyMatrix result(type, shape, memory, memory->data());
  result.rounding = rounded_again(numbers.rounding, rounding);
  return result;
}

std::string text_of_element(ElementType type, double element) {
  if (type == ElementType::float64 || type == ElementType::complex128)
    return fmt::format("{}", element);
  if (is_integer(type)) return fmt::format("{}", static_cast<std::int32_t>(element));
  return fmt::format("{}", static_cast<float>(element));
}

std::size_t checked_size(long long rows, long long columns, std::size_t element_size,
                         const std::string& where) {
  if (rows < 0 || columns < 0)
    throw UsageError(fmt::format("{}: {} x {}: a size is negative", where, rows, columns));
  const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(columns);
  const std::size_t maximum = std::numeric_limits<std::ptrdiff_t>::max() / element_size;
  if (c != 0 && r > maximum / c) {
    throw UsageError(
        fmt::format("{}: {} x {} is more than 64 bits can address", where, rows, columns));
  }
  const auto bytes = static_cast<double>(r * c * element_size);
  if (bytes > host_memory()) {
    throw UsageError(fmt::format("{}: {} x {} elements need {}, this machine has {}", where, rows,
                                 columns, text_of_bytes(bytes), text_of_bytes(host_memory())));
  }
  return r * c;
}

}  // namespace tessera::tool
