// Options that all subcommands take.
#include "commands/command.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <optional>
#include <string_view>

#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
CLI::Validator not_empty() {
  return CLI::Validator(
      [](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); }, "");
}

std::string matrix_help() {
  return "A matrix is a file, a pipe or - (standard input), or a generator: hilbert:N, "
         "random:RxC[:SEED], normal:RxC[:SEED], ones:RxC, identity:N; SEED is 1 by default.\n"
         "Files end in .npy, .mtx (Matrix Market) or .csv; pipes and standard input are known by "
         "their first bytes. CSV: numbers between commas, semicolons (1,5 may be one and a half) "
         "or "
         "blanks, also 1/3; lines of # and a first line of names are skipped.\n"
         "Errors of files and generators count rows, columns and lines from 1.\n";
}

void add_common(CLI::App& command, CommonOptions& options) {
  command.add_option("--device", options.device, "gpu, cpu, 0:1 or a part of a name");
  command.add_flag("--json", options.json, "Print one JSON document");
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

}  // namespace tessera::tool
