// Tunings as JSON: problems, devices and times, there and back.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tessera/tune.hpp>

namespace tessera::tool {

using Json = nlohmann::ordered_json;

Json json_of(const DeviceInfo& device);
/// What the JSON of a device says; what it lacks stays as it is made. Throws Json::exception.
DeviceInfo device_of(const Json& json);

/// "operation", "dtype", "rows", "columns", "inner", "transpose_a", "transpose_b".
Json json_of(const Problem& problem);
/// Throws UsageError or Json::exception.
Problem problem_of(const Json& json);

/// Six digits that count, which is what a time is good for; 0 for what is not finite.
double rounded(double value);
/// Milliseconds, rounded.
double milliseconds(double seconds);

/// "2026-01-02 03:04:05.678+00:00" of seconds since 1970.
std::string timestamp(double seconds);
/// The other way.
std::optional<double> seconds_of_timestamp(std::string_view text);

/// One line. Bytes that are no UTF-8 are replaced.
std::string line_of(const Json& json);

}  // namespace tessera::tool
