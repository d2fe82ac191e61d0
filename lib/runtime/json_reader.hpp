// Reads JSON from outside, but neither deep nesting nor numbers out of range, and writes JSON as a
// line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tessera/device.hpp"

namespace tessera::inline v0::runtime {

using Json = nlohmann::ordered_json;

/// Levels of brackets. Nothing that Tessera writes has ten.
constexpr std::size_t kMaxDepth = 100;

/// The levels of brackets in a text; for invalid JSON, no fewer than in its valid beginning.
inline std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0, maximum = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') i++;
    if (quoted) continue;
    if (c == '[' || c == '{') maximum = std::max(maximum, ++depth);
    if ((c == ']' || c == '}') && depth > 0) depth--;
  }
  return maximum;
}

/// Throws Json::exception for invalid JSON, and for brackets that nest more deeply than kMaxDepth:
/// such a value is copied and printed by recursion, which overflows the stack.
inline Json parse(std::string_view text) {
  if (depth_of(text) > kMaxDepth)
    throw Json::other_error::create(501, "the brackets nest too deeply", nullptr);
  return Json::parse(text);
}

/// The same, with a value that is discarded() in place of an exception.
inline Json parse_or_discard(std::string_view text) {
  if (depth_of(text) > kMaxDepth) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}

/// Why the keys of a document cannot be understood: they have another version than kJsonSchema.
/// Empty if they have that one.
inline std::string other_schema(const Json& document) {
  const auto found = document.find("schema");
  if (found != document.end() && *found == kJsonSchema) return {};
  return "its schema is " + (found == document.end() ? "missing" : found->dump()) + "; expected " +
         std::to_string(kJsonSchema);
}

/// Throws Json::exception for another schema. A document without one is a part of another document.
inline void require_schema(const Json& document) {
  if (const auto other = other_schema(document); document.contains("schema") && !other.empty())
    throw Json::other_error::create(501, other, nullptr);
}

/// `document` with its schema before the other keys.
inline Json with_schema(const Json& document) {
  Json whole = {{"schema", kJsonSchema}};
  whole.update(document);
  return whole;
}

/// One line, including its newline. Invalid UTF-8, as in a compiler's log, is replaced.
inline std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// `json` as a T in that range. Throws Json::exception for any other value; nlohmann's own
/// conversion of a number that a T cannot hold is undefined.
template <class T>
T number(const Json& json, T minimum = std::numeric_limits<T>::lowest(),
         T maximum = std::numeric_limits<T>::max()) {
  bool is_one = json.is_number();
  if constexpr (std::is_integral_v<T>) {
    is_one = json.is_number_unsigned()
                 ? std::in_range<T>(json.get<std::uint64_t>())
                 : json.is_number_integer() && std::in_range<T>(json.get<std::int64_t>());
  }
  if (is_one && json.get<T>() >= minimum && json.get<T>() <= maximum) return json.get<T>();
  throw Json::out_of_range::create(401, json.dump() + " is out of range", nullptr);
}

template <class T>
constexpr bool is_number =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char>;

/// Sets `value` to the value under `key`: a number, several numbers or anything else. Leaves it if
/// the key is missing. Throws Json::exception if the value there is not a T.
template <class T>
void read(const Json& json, const char* key, T& value) {
  const auto found = json.find(key);
  if (found == json.end()) return;
  if constexpr (is_number<T>) {
    value = number<T>(*found);
  } else {
    if constexpr (requires { requires is_number<typename T::value_type>; }) {
      for (const Json& element : *found) number<typename T::value_type>(element);
    }
    found->get_to(value);
  }
}

}  // namespace tessera::inline v0::runtime
