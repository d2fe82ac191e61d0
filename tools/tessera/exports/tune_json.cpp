// Times in JSON, there and back.
#include "exports/tune_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "text.hpp"

namespace tessera::tool {
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
