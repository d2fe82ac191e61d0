// tessera cache: the built programs and the results of checks on disk, counted and cleared.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <tessera/cache.hpp>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/print_json.hpp"
#include "figures.hpp"
#include "platform/path.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

using Json = nlohmann::ordered_json;

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

std::string text_of_files(const CacheInfo& info) {
  return fmt::format("{}, {:.1f} MiB", counted(info.programs, "file"), mebibytes(info.bytes));
}

int show(bool json) {
  const CacheInfo info = program_cache();
  if (json) {
    const Json document = {{"folder", text_of(info.folder)},
                           {"programs", info.programs},
                           {"bytes", info.bytes},
                           {"limit", info.limit}};
    print_json(document);
  } else if (info.folder.empty()) {
    fmt::print("TESSERA_CACHE is off: nothing is kept\n");
  } else {
    fmt::print("{}\n{} of at most {:.0f} MiB\n", text_of(info.folder), text_of_files(info),
               mebibytes(info.limit));
  }
  return done;
}

int clear(bool json) {
  const CacheInfo removed = clear_program_cache();
  if (json) {
    const Json document = {{"programs", removed.programs}, {"bytes", removed.bytes}};
    print_json(document);
  } else {
    fmt::print("removed {}\n", text_of_files(removed));
  }
  return done;
}

}  // namespace

void add_cache(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("cache", "Built programs and results of checks on disk");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* what, int (*run)(bool json)) {
    auto* part = command->add_subcommand(name, what);
    auto json = std::make_shared<bool>(false);
    part->add_flag("--json", *json, "Print one JSON document");
    part->callback([json, run, &status] { status = run(*json); });
  };
  add("show", "Print the folder, and number and size of its files", show);
  add("clear", "Delete these files; kernels are built and checked again when needed", clear);
}

}  // namespace tessera::tool
