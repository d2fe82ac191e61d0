// Check report: what came of one variant with one type, as rows of a table and as JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <tessera/kernel.hpp>
#include <vector>

namespace tessera::tool {

/// Results of one variant with one type.
struct CheckReport {
  std::string operation, variant;
  ProductTypes types;
  std::size_t configurations = 0, refused = 0, check_cases = 0;
  double worst = 0;                         // error / bound
  std::string skipped, unsupported_reason;  // why; of a refused configuration, the last
  std::vector<std::string> failures;
};

/// The names of the table's columns.
void print_header();
/// The report's row, and below it why configurations were refused and what failed.
void print(const CheckReport& report);
nlohmann::ordered_json json_of(const CheckReport& report);
/// `report` with the results from `json`, which json_of() made of a report on the same kernel.
CheckReport with_json(CheckReport report, const nlohmann::ordered_json& json);

}  // namespace tessera::tool
