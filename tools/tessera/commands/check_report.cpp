// Printing what a check found.
#include "commands/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "commands/full_name.hpp"
#include "figures.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace tessera::tool {
namespace {

constexpr std::string_view kBelow = "        ";  // what a row has to say below it

/// The length of the longest name of types.
std::size_t type_columns() {
  std::size_t columns = 0;
  for (const OperationInfo& operation : operations()) {
    for (const ProductTypes& types : operation.types)
      columns = std::max(columns, to_string(types).size());
  }
  return columns;
}

/// The columns that all rows share.
std::string row_start(std::string_view result, const std::string& variant, std::string_view types) {
  return fmt::format("{:<7} {:<{}} {:<{}}", result, variant, full_name_columns(), types,
                     type_columns());
}

}  // namespace

void print_header() {
  fmt::print("{}  sets trials error/bound\n", row_start("result", "kernel", "type"));
}

void print(const CheckReport& report) {
  const auto print_text = [](std::string_view start, const std::string& text) {
    fmt::print("{}\n", with_hanging_indent(start, one_line(text)));
  };
  const auto start = [&](std::string_view result) {
    return row_start(result, full_name(report.operation, report.variant), to_string(report.types));
  };
  if (!report.skipped.empty()) {
    print_text(start("skipped") + " ", report.skipped);
  } else {
    fmt::print("{} {:>5} {:>6} {:>11.2f}\n", start(report.failures.empty() ? "ok" : "FAILED"),
               report.configurations, report.check_cases, report.worst);
  }
  if (report.refused > 0) {
    print_text(kBelow, fmt::format("{} refused: {}", counted(report.refused, "configuration"),
                                   report.unsupported_reason));
  }
  for (const std::string& failure : report.failures) print_text(kBelow, failure);
  std::fflush(stdout);
}

nlohmann::ordered_json json_of(const CheckReport& report) {
  nlohmann::ordered_json json = {{"operation", report.operation},
                                 {"variant", report.variant},
                                 {"dtype", to_string(report.types.a)}};
  if (report.types != ProductTypes(report.types.a)) json["out_dtype"] = to_string(report.types.c);
  json.update({{"result", !report.skipped.empty()   ? "skipped"
                          : report.failures.empty() ? "ok"
                                                    : "failed"},
               {"reason", report.skipped},
               {"configurations", report.configurations},
               {"refused", report.refused},
               {"unsupported_reason", report.unsupported_reason},
               {"trials", report.check_cases},
               {"worst", report.worst},
               {"failures", report.failures}});
  return json;
}

CheckReport with_json(CheckReport report, const nlohmann::ordered_json& json) {
  report.skipped = json.at("reason");
  report.configurations = json.at("configurations");
  report.refused = json.at("refused");
  report.unsupported_reason = json.at("unsupported_reason");
  report.check_cases = json.at("trials");
  const auto& worst = json.at("worst");
  report.worst = worst.is_null() ? INFINITY : worst.get<double>();
  report.failures = json.at("failures");
  return report;
}

}  // namespace tessera::tool
