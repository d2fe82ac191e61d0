// Tunings as JSON: values of the library, and times, there and back.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tessera/tune.hpp>

namespace tessera::tool {

using Json = nlohmann::ordered_json;

/// A problem, a device or its capabilities, as the library writes it, for a part of a document.
template <class T>
Json json_of(const T& value) {
  Json json = Json::parse(to_json(value));
  json.erase("schema");
  return json;
}

/// Six significant digits, the precision of a time; 0 for infinities and NaN.
double rounded(double value);
/// Milliseconds, rounded.
double milliseconds(double seconds);

/// "2026-01-02 03:04:05.678+00:00" of seconds since 1970.
std::string timestamp(double seconds);
/// The other way.
std::optional<double> seconds_of_timestamp(std::string_view text);

/// One line. Bytes that are not valid UTF-8 are replaced.
std::string line_of(const Json& json);

}  // namespace tessera::tool
