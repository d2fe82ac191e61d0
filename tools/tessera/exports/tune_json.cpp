// Reading and writing the JSON of problems, devices and times.
#include "exports/tune_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "element_types.hpp"
#include "runtime/json_reader.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

DeviceType device_type(const std::string& text) {
  for (const DeviceType type : {DeviceType::cpu, DeviceType::gpu, DeviceType::accelerator}) {
    if (text == name(type)) return type;
  }
  return DeviceType::other;
}

}  // namespace

Json json_of(const DeviceInfo& device) {
  return {{"selector", device.selector},
          {"name", device.name},
          {"vendor", device.vendor},
          {"type", name(device.type)},
          {"platform", device.platform},
          {"platform_version", device.platform_version},
          {"version", device.version},
          {"driver", device.driver},
          {"compute_units", device.compute_units},
          {"clock_mhz", device.clock_mhz},
          {"global_memory", device.global_memory},
          {"max_allocation", device.max_allocation},
          {"local_memory", device.local_memory},
          {"max_work_group", device.max_work_group},
          {"max_work_items", device.max_work_items},
          {"simd_width", device.simd_width},
          {"sub_group_sizes", device.sub_group_sizes},
          {"double", device.has_double},
          {"images", device.has_images},
          {"max_image", {device.max_image_width, device.max_image_height}},
          {"extensions", device.extensions}};
}

DeviceInfo device_of(const Json& json) {
  DeviceInfo device;
  std::string type;
  std::array<std::size_t, 2> image = {};
  runtime::read(json, "selector", device.selector);
  runtime::read(json, "name", device.name);
  runtime::read(json, "vendor", device.vendor);
  runtime::read(json, "type", type);
  runtime::read(json, "platform", device.platform);
  runtime::read(json, "platform_version", device.platform_version);
  runtime::read(json, "version", device.version);
  runtime::read(json, "driver", device.driver);
  runtime::read(json, "compute_units", device.compute_units);
  runtime::read(json, "clock_mhz", device.clock_mhz);
  runtime::read(json, "global_memory", device.global_memory);
  runtime::read(json, "max_allocation", device.max_allocation);
  runtime::read(json, "local_memory", device.local_memory);
  runtime::read(json, "max_work_group", device.max_work_group);
  runtime::read(json, "max_work_items", device.max_work_items);
  runtime::read(json, "simd_width", device.simd_width);
  runtime::read(json, "sub_group_sizes", device.sub_group_sizes);
  runtime::read(json, "double", device.has_double);
  runtime::read(json, "images", device.has_images);
  runtime::read(json, "max_image", image);
  runtime::read(json, "extensions", device.extensions);
  device.type = device_type(type);
  device.max_image_width = image[0];
  device.max_image_height = image[1];
  return device;
}

Json json_of(const Problem& problem) {
  return {{"operation", problem.operation},
          {"dtype", name(problem.type)},
          {"rows", problem.m},
          {"columns", problem.n},
          {"inner", problem.k},
          {"batch", problem.batch},
          {"transpose_a", problem.transpose_a},
          {"transpose_b", problem.transpose_b}};
}

Problem problem_of(const Json& json) {
  Problem problem;
  json.at("operation").get_to(problem.operation);
  const auto dtype = json.at("dtype").get<std::string>();
  problem.type = element_type(dtype);
  problem.m = runtime::number<std::size_t>(json.at("rows"));
  problem.n = runtime::number<std::size_t>(json.at("columns"));
  problem.k = runtime::number<std::size_t>(json.at("inner"));
  runtime::read(json, "batch", problem.batch);
  json.at("transpose_a").get_to(problem.transpose_a);
  json.at("transpose_b").get_to(problem.transpose_b);
  return problem;
}

double rounded(double value) {
  if (!std::isfinite(value)) return 0;
  const std::string text = fmt::format("{:.5e}", value);
  double result = 0;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return std::isfinite(result) ? result : 0;
}

double milliseconds(double seconds) { return rounded(1e3 * seconds); }

std::string timestamp(double seconds) {
  using std::chrono::days, std::chrono::milliseconds, std::chrono::hh_mm_ss;
  constexpr double kEnd = 253402300799;                             // the year 9999's
  const double inside = seconds > 0 ? std::min(seconds, kEnd) : 0;  // NaN is 0
  const std::chrono::sys_time<milliseconds> time{milliseconds(std::llround(1e3 * inside))};
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const hh_mm_ss<milliseconds> clock(time - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03}+00:00", int(date.year()),
                     unsigned(date.month()), unsigned(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

std::optional<double> seconds_of_timestamp(std::string_view text) {
  const auto field = [&](std::size_t at, std::size_t digits) {
    return text.size() < at + digits ? std::nullopt : integer(text.substr(at, digits));
  };
  const auto year = field(0, 4), month = field(5, 2), day = field(8, 2), hour = field(11, 2),
             minute = field(14, 2), second = field(17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const std::string_view rest = text.substr(19);
  const auto part = number(fmt::format("0{}", rest.substr(0, rest.find_first_of("+Z"))));
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<double>(days * 86400LL + *hour * 3600 + *minute * 60 + *second) +
         part.value_or(0);
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera::tool
