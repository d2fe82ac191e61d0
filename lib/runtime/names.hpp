// Names of enumerators: one table prints and parses them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tessera::inline v0::runtime {

/// Specialized for each enumeration whose names are parsed too: kAll has the names of 0, 1, ...
template <class Enum>
struct Names;

template <class Enum>
std::string_view name_of(Enum value) {
  return Names<Enum>::kAll.at(static_cast<std::size_t>(value));
}

template <class Enum>
std::optional<Enum> value_named(std::string_view name) {
  for (std::size_t i = 0; i < Names<Enum>::kAll.size(); i++) {
    if (Names<Enum>::kAll[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace tessera::inline v0::runtime
