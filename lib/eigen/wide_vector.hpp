// Wide vectors as they lie in memory (cl/common/wide.cl), and as doubles.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tessera::inline v0::eigen {

/// Parts of a wide number in memory: a double is one, of floats there are two.
template <class Part>
constexpr std::size_t kParts = sizeof(Part) == sizeof(double) ? 1 : 2;

inline std::vector<double> doubles_of(std::vector<double>&& parts) { return std::move(parts); }

inline std::vector<double> doubles_of(const std::vector<float>& parts) {
  const std::size_t n = parts.size() / 2;
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; i++)
    values[i] = static_cast<double>(parts[i]) + static_cast<double>(parts[n + i]);
  return values;
}

template <class Part>
std::vector<Part> parts_of(const std::vector<double>& values) {
  const std::size_t n = values.size();
  std::vector<Part> parts(n * kParts<Part>);
  for (std::size_t i = 0; i < n; i++) {
    parts[i] = static_cast<Part>(values[i]);
    if (kParts<Part> == 2) parts[n + i] = static_cast<Part>(values[i] - double{parts[i]});
  }
  return parts;
}

/// Components of a vector whose largest is about 1: beyond it, rounds end.
template <class Part>
constexpr Part kSmallest = kParts<Part> == 1 ? Part(0x1p-1000) : Part(0x1p-100f);

}  // namespace tessera::inline v0::eigen
