// Vectors of wide numbers (cl/common/wide.cl): their layout in memory, and conversion to doubles.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tessera::inline v0::eigen {

/// Components of a wide number: one double, or two floats.
template <class Component>
constexpr std::size_t kComponents = sizeof(Component) == sizeof(double) ? 1 : 2;

inline std::vector<double> doubles_of(std::vector<double>&& components) {
  return std::move(components);
}

inline std::vector<double> doubles_of(const std::vector<float>& components) {
  const std::size_t n = components.size() / 2;
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; i++)
    values[i] = static_cast<double>(components[i]) + static_cast<double>(components[n + i]);
  return values;
}

template <class Component>
std::vector<Component> components_of(const std::vector<double>& values) {
  const std::size_t n = values.size();
  std::vector<Component> components(n * kComponents<Component>);
  for (std::size_t i = 0; i < n; i++) {
    components[i] = static_cast<Component>(values[i]);
    if (kComponents<Component> == 2)
      components[n + i] = static_cast<Component>(values[i] - double{components[i]});
  }
  return components;
}

/// Rounds end when an element falls below this in a vector whose largest element is about 1.
template <class Component>
constexpr Component kSmallest = kComponents<Component> == 1 ? Component(0x1p-1000)
                                                            : Component(0x1p-100f);

}  // namespace tessera::inline v0::eigen
