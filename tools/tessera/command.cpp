// Options that all subcommands take, and texts that several print.
#include "command.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "text.hpp"

namespace tessera::tool {
namespace {

constexpr std::array kTypes = {ElementType::float32, ElementType::float64, ElementType::float16,
                               ElementType::int32};

}  // namespace

CLI::Validator not_empty() {
  return CLI::Validator(
      [](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); }, "");
}

void add_common(CLI::App& command, CommonOptions& options) {
  command.add_option("--device", options.device, "gpu, cpu, 0:1 or a part of a name");
  command.add_flag("--json", options.json, "Print one JSON document");
}

std::vector<std::string> element_type_names() {
  std::vector<std::string> names;
  for (const ElementType type : kTypes) names.emplace_back(name(type));
  return names;
}

ElementType element_type(const std::string& wanted) {
  for (const ElementType type : kTypes) {
    if (wanted == name(type)) return type;
  }
  throw UsageError(
      fmt::format("no type \"{}\"; there are: {}", wanted, fmt::join(element_type_names(), ", ")));
}

Parameters parse_settings(const std::vector<std::string>& settings) {
  Parameters parameters;
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    const auto value = equals == std::string::npos
                           ? std::nullopt
                           : integer(std::string_view(setting).substr(equals + 1));
    if (!value || *value < -1'000'000 || *value > 1'000'000)
      throw UsageError(fmt::format("--set {}: is not of the form NAME=INTEGER", setting));
    parameters[setting.substr(0, equals)] = static_cast<int>(*value);
  }
  return parameters;
}

std::string text_of(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text.empty() ? "-" : text;
}

}  // namespace tessera::tool
