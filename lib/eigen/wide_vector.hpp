// Wide vectors as they lie in memory (cl/common/wide.cl), and as doubles.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tessera::inline v0::eigen {

/// Parts of a wide number in memory: a double is one, of floats there are two.
template <class Component>
constexpr std::size_t kComponents = sizeof(Component) == sizeof(double) ? 1 : 2;

inline std::vector<double> doubles_of(std::vector<double>&& parts) { return std::move(parts); }

inline std::vector<double> doubles_of(const std::vector<float>& parts) {
  const std::size_t n = parts.size() / 2;
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; i++)
    values[i] = static_cast<double>(parts[i]) + static_cast<double>(parts[n + i]);
  return values;
}

template <class Component>
std::vector<Component> parts_of(const std::vector<double>& values) {
  const std::size_t n = values.size();
  std::vector<Component> parts(n * kComponents<Component>);
  for (std::size_t i = 0; i < n; i++) {
    parts[i] = static_cast<Component>(values[i]);
    if (kComponents<Component> == 2)
      parts[n + i] = static_cast<Component>(values[i] - double{parts[i]});
  }
  return parts;
}

/// Components of a vector whose largest is about 1: beyond it, rounds end.
template <class Component>
constexpr Component kSmallest = kComponents<Component> == 1 ? Component(0x1p-1000)
                                                            : Component(0x1p-100f);

}  // namespace tessera::inline v0::eigen
