// tessera devices: what OpenCL offers here, and which variants run on it.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <tessera/engine.hpp>
#include <tessera/error.hpp>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/full_name.hpp"
#include "commands/print_json.hpp"
#include "exports/tune_json.hpp"
#include "figures.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace tessera::tool {
namespace {

/// Yes if a variant runs for any types; else the verdict for float, with its reason.
Verdict verdict_of(const OperationInfo& operation, const VariantInfo& variant,
                   const Engine& engine) {
  for (const ProductTypes& types : operation.types) {
    if (Verdict verdict = variant.runs_on(engine, types)) return verdict;
  }
  return variant.runs_on(engine, ElementType::float32);
}

Json json_of(const OperationInfo& operation, const VariantInfo& variant, const Engine& engine) {
  const Verdict verdict = verdict_of(operation, variant, engine);
  Json parameters = Json::array();
  for (const auto& parameter : variant.parameters()) {
    parameters.push_back({{"name", parameter.name},
                          {"meaning", parameter.meaning},
                          {"candidates", parameter.candidates}});
  }
  return {{"name", variant.name()},
          {"summary", variant.summary()},
          {"runs", verdict.yes},
          {"reason", verdict.reason},
          {"deterministic", variant.deterministic()},
          {"parameters", std::move(parameters)}};
}

Json operations_on(const Engine& engine) {
  Json result = Json::array();
  for (const OperationInfo& operation : operations()) {
    Json variants = Json::array();
    for (const VariantInfo& variant : operation.variants)
      variants.push_back(json_of(operation, variant, engine));
    result.push_back({{"name", operation.name}, {"variants", std::move(variants)}});
  }
  return result;
}

constexpr std::string_view kIndent = "      ";

void print_line(std::string_view start, std::string_view text) {
  fmt::print("{}\n", with_hanging_indent(start, text));
}

void print(const DeviceInfo& device) {
  constexpr double kGibi = 1u << 30;
  print_line(fmt::format("{:<{}}", device.selector, kIndent.size()), one_line(device.name));
  print_line(kIndent, fmt::format("{}, {}, driver {}", to_string(device.type),
                                  one_line(device.platform), one_line(device.driver)));
  print_line(
      kIndent,
      fmt::format("{}, {}, {:.1f} GiB ({:.1f} GiB per matrix), {} KiB local memory{}{}",
                  counted(device.compute_units, "compute unit"), counted(device.simd_width, "lane"),
                  static_cast<double>(device.global_memory) / kGibi,
                  static_cast<double>(device.max_allocation) / kGibi, device.local_memory / 1024,
                  device.has_double ? ", double" : ", no double",
                  device.has_images ? ", images" : ", no images"));
}

std::vector<std::string_view> exchanges_of(const Engine& engine) {
  std::vector<std::string_view> names;
  for (const LaneSupport& support : capabilities(engine).lane_exchanges)
    names.push_back(to_string(support.exchange));
  return names;
}

/// One line for each parameter: "        TILE  edge of a block: 8, 16, 32".
void print_parameters(const VariantInfo& variant) {
  std::size_t columns = 0;
  for (const auto& parameter : variant.parameters())
    columns = std::max(columns, parameter.name.size());
  for (const auto& parameter : variant.parameters()) {
    print_line(fmt::format("{}  {:<{}}  ", kIndent, parameter.name, columns),
               fmt::format("{}: {}", parameter.meaning, fmt::join(parameter.candidates, ", ")));
  }
}

void print_operations(const Engine& engine, bool with_parameters) {
  print_line(kIndent,
             fmt::format("lanes exchange values by {}", fmt::join(exchanges_of(engine), ", ")));
  for (const OperationInfo& operation : operations()) {
    for (const VariantInfo& variant : operation.variants) {
      const Verdict verdict = verdict_of(operation, variant, engine);
      print_line(fmt::format("{}{:<{}} ", kIndent, full_name(operation.name, variant.name()),
                             full_name_columns()),
                 verdict.yes ? variant.summary() : "does not run: " + one_line(verdict.reason));
      if (with_parameters && verdict.yes) print_parameters(variant);
    }
  }
}

struct DevicesCommand : CommonOptions {
  bool parameters = false;
};

int run(const DevicesCommand& options) {
  auto listed = options.device.empty() ? devices() : std::vector{Engine(options.device).device()};
  if (listed.empty()) listed.push_back(Engine().device());  // throws the error that says why
  Json document = {{"devices", Json::array()}};
  for (const DeviceInfo& device : listed) {
    Json entry = tool::json_of(device);
    if (!options.json) print(device);
    try {
      const Engine engine(device.selector);
      entry["lane_exchanges"] = exchanges_of(engine);
      entry["operations"] = operations_on(engine);
      if (!options.json) print_operations(engine, options.parameters);
    } catch (const Error& error) {  // one device that cannot be opened does not hide the others
      entry["error"] = error.what();
      if (!options.json) fmt::print("      cannot be opened: {}\n", one_line(error.what()));
    }
    document["devices"].push_back(std::move(entry));
  }
  if (options.json) print_json(document);
  return done;
}

}  // namespace

void add_devices(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("devices", "List the devices, and the variants that run on them");
  auto options = std::make_shared<DevicesCommand>();
  add_common(*command, *options);
  command->add_flag("--parameters", options->parameters,
                    "Also list the parameters of each variant, with their values");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace tessera::tool
