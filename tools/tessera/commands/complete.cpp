// Completion: the options and subcommands that CLI11 knows, and the values of options.
#include "commands/complete.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <tessera/device.hpp>
#include <tessera/error.hpp>
#include <tessera/kernel.hpp>
#include <utility>

#include "element_types.hpp"
#include "text.hpp"

namespace tessera::tool {
namespace {

using Candidates = std::vector<Candidate>;

Candidates all_devices() {
  Candidates result;
  std::vector<DeviceInfo> listed;
  try {
    listed = devices();
  } catch (const Error&) {  // a shell cannot print an error in the middle of a line
  }
  for (const DeviceType type : {DeviceType::gpu, DeviceType::cpu}) {
    if (std::ranges::find(listed, type, &DeviceInfo::type) == listed.end()) continue;
    result.push_back({std::string(to_string(type)), "the fastest of this type"});
  }
  for (const DeviceInfo& device : listed) result.push_back({device.selector, device.name});
  return result;
}

Candidates all_operations() {
  Candidates result;
  for (const OperationInfo& operation : operations()) result.push_back({operation.name, ""});
  return result;
}

Candidates kernels_of(const OperationInfo& operation) {
  Candidates result;
  for (const VariantInfo& variant : operation.variants)
    result.push_back({variant.name(), variant.summary()});
  return result;
}

/// Several operations have a kernel of the same name.
Candidates all_kernels() {
  Candidates result;
  for (const OperationInfo& operation : operations()) {
    for (const Candidate& kernel : kernels_of(operation)) {
      if (std::ranges::find(result, kernel.text, &Candidate::text) == result.end())
        result.push_back(kernel);
    }
  }
  return result;
}

Candidates all_types() {
  Candidates result;
  for (const std::string_view name : type_names()) result.push_back({std::string(name), ""});
  return result;
}

/// The values of an option that lists them: CLI11 describes the check as "{ieee,bounded}".
Candidates values_of_check(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto opening = type.find('{'), closing = type.find('}');
  if (opening == type.npos || closing == type.npos) return {};
  Candidates result;
  const std::string values = type.substr(opening + 1, closing - opening - 1);
  for (const std::string& value : CLI::detail::split(values, ',')) result.push_back({value, ""});
  return result;
}

Candidates values_of(const CLI::Option& option) {
  static const std::map<std::string, std::function<Candidates()>> kValues = {
      {"--device", all_devices},
      {"--dtype", all_types},
      {"--kernel", [] { return kernels_of(info_of("multiply")); }},
      {"--operation", all_operations},
      {"--out-dtype", all_types},
      {"--strategy",
       [] {
         return Candidates{{"model", ""}, {"random", ""}, {"full", ""}};
       }},
      {"--variant", all_kernels},
      {"OPERATION", all_operations},
  };
  const bool is_argument = option.get_lnames().empty();
  const auto known =
      kValues.find(is_argument ? option.get_name(true) : "--" + option.get_lnames().front());
  return known == kValues.end() ? values_of_check(option) : known->second();
}

Candidates options_of(const CLI::App& command, bool with_short_names) {
  Candidates result;
  for (const CLI::Option* option : command.get_options()) {
    const std::string description = option->get_description();
    if (with_short_names) {
      for (const auto& name : option->get_snames()) result.push_back({"-" + name, description});
    }
    for (const auto& name : option->get_lnames()) result.push_back({"--" + name, description});
  }
  return result;
}

/// Where a command line ends: its subcommand, the option that lacks a value, the number of
/// arguments.
struct Position {
  const CLI::App* command;
  const CLI::Option* option = nullptr;
  std::size_t arguments = 0;

  /// The words of a program that the subcommand starts.
  bool in_program() const { return command->get_prefix_command() && arguments > 0; }
};

Position position_after(const CLI::App& app, const std::vector<std::string>& words) {
  Position at{&app};
  for (const std::string& word : words) {
    if (at.in_program()) break;
    if (std::exchange(at.option, nullptr) != nullptr) continue;  // the option's value
    if (word.starts_with('-') && word.size() > 1) {
      const CLI::Option* option = at.command->get_option_no_throw(word);
      if (option != nullptr && option->get_items_expected_max() > 0) at.option = option;
      continue;
    }
    const auto parts = at.command->get_subcommands({});
    const auto part = std::ranges::find(parts, word, &CLI::App::get_name);
    if (part == parts.end()) {
      at.arguments++;
    } else {
      at = {*part};
    }
  }
  return at;
}

Candidates unfiltered(const Position& at, const std::string& word) {
  if (at.in_program()) return {};
  if (at.option != nullptr) return values_of(*at.option);
  if (const auto equals = word.find('='); word.starts_with("--") && equals != word.npos) {
    const CLI::Option* option = at.command->get_option_no_throw(word.substr(0, equals));
    Candidates values = option == nullptr ? Candidates{} : values_of(*option);
    for (Candidate& value : values) value.text.insert(0, word.substr(0, equals + 1));
    return values;
  }
  if (word.starts_with('-')) return options_of(*at.command, !word.starts_with("--"));
  Candidates parts;
  for (const CLI::App* part : at.command->get_subcommands({}))
    parts.push_back({part->get_name(), part->get_description()});
  if (!parts.empty()) return at.arguments == 0 ? parts : Candidates{};
  std::size_t place = at.arguments;
  for (const CLI::Option* option : at.command->get_options()) {
    if (option->get_positional() && place-- == 0) return values_of(*option);
  }
  return {};
}

}  // namespace

std::vector<Candidate> candidates(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) return {};
  const Position at = position_after(app, {words.begin(), words.end() - 1});
  Candidates result = unfiltered(at, words.back());
  std::erase_if(result, [&](const Candidate& it) { return !it.text.starts_with(words.back()); });
  return result;
}

void print_candidates(const CLI::App& app, const std::vector<std::string>& words) {
  for (const Candidate& candidate : candidates(app, words))
    fmt::print("{}\t{}\n", candidate.text, one_line(candidate.description));
}

}  // namespace tessera::tool
