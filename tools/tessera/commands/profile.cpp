// tessera profile: the tuned kernels of a device, shown, moved, removed.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <tessera/engine.hpp>
#include <tessera/error.hpp>
#include <tessera/profile.hpp>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/print_json.hpp"
#include "figures.hpp"
#include "files/output_file.hpp"
#include "platform/path.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ProfileCommand : CommonOptions {
  std::string file;
};

fs::path profile_of(const Engine& engine) {
  fs::path path = profile_path(engine.device());
  if (path.empty()) throw UsageError("no profile, because TESSERA_PROFILE is off");
  return path;
}

/// Describes the entry's problem, by the operation's name alone if this version does not have the
/// operation.
std::string problem_of(const ProfileEntry& entry) {
  try {
    return describe(entry.problem);
  } catch (const ArgumentError&) {
    return entry.problem.operation;
  }
}

Json json_of_entry(const ProfileEntry& entry, const std::string& state) {
  Json observations = Json::array();
  for (const auto& [m, n, k, batch, op_a, op_b, ratio] : entry.observations) {
    Json observation = {{"m", m}, {"n", n}, {"k", k}, {"batch", batch}};
    if (op_a != Op::none) observation["op_a"] = to_string(op_a);
    if (op_b != Op::none) observation["op_b"] = to_string(op_b);
    observation["ratio"] = ratio;
    observations.push_back(std::move(observation));
  }
  return {{"problem", problem_of(entry)},
          {"variant", entry.kernel.variant},
          {"parameters", entry.kernel.parameters},
          {"observations", std::move(observations)},
          {"seconds", entry.seconds},
          {"default_seconds", entry.default_seconds},
          {"device", entry.device},
          {"driver", entry.driver},
          {"when", entry.when},
          {"state", state}};
}

int show(const ProfileCommand& command) {
  const Engine engine(command.device);
  Json document = {{"device", engine.device().name}, {"entries", Json::array()}};
  const auto list = [&](const ProfileEntry& entry, const std::string& state) {
    document["entries"].push_back(json_of_entry(entry, state));
    if (command.json) return;
    const std::string nearby = nearby_text(entry);
    const std::string speedup =
        entry.default_seconds > 0
            ? fmt::format("{:.3g} x the default; ", entry.default_seconds / entry.seconds)
            : "";
    const std::string kernel = entry.kernel.variant + " " + text_of(entry.kernel.parameters);
    const std::string times = fmt::format("{:.4g} ms, {}{}{}", 1e3 * entry.seconds, speedup,
                                          nearby.empty() ? "" : nearby + " nearby; ", state);
    fmt::print("{}\n{}\n{}\n", one_line(problem_of(entry)),
               with_hanging_indent("  ", one_line(kernel)),
               with_hanging_indent("  ", one_line(times)));
  };
  if (!command.json) fmt::print("{}\n", one_line(engine.device().name));
  fs::path path = profile_path(engine.device());
  if (!path.empty()) {
    for (const ProfileEntry& entry : read_profile(path)) {
      const std::string why = why_not_used(engine, entry);
      list(entry, why.empty() ? "tuned " + entry.when : "not used: " + why);
    }
  }
  for (const ProfileEntry& entry : shipped_profile(engine)) list(entry, "shipped");
  if (command.json) {
    print_json(document);
  } else if (document["entries"].empty()) {
    fmt::print("nothing is tuned; run tessera tune\n");
  }
  return done;
}

int where(const ProfileCommand& command) {
  const auto path = text_of(profile_of(Engine(command.device)));
  if (command.json) {
    print_json(Json{{"file", path}});
  } else {
    fmt::print("{}\n", path);
  }
  return done;
}

int export_to(const ProfileCommand& command) {
  const fs::path path = profile_of(Engine(command.device));
  if (!fs::exists(path))
    throw UsageError(fmt::format("{}: no such profile; run tessera tune first", text_of(path)));
  OutputFile(command.file).write({read_file(text_of(path))});
  return done;
}

/// Adds the entries for this device; counts the others, and says why the last is not used.
int import_from(const ProfileCommand& command) {
  const Engine engine(command.device);
  const fs::path path = profile_of(engine);
  read_file(command.file);  // says if it cannot
  std::vector<ProfileEntry> taken;
  std::size_t left = 0;
  std::string why;
  for (const ProfileEntry& entry : read_profile(path_of(command.file))) {
    const std::string reason = why_not_used(engine, entry);
    if (reason.empty()) {
      taken.push_back(entry);
    } else {
      why = reason;
      left++;
    }
  }
  if (taken.empty())
    throw UsageError(
        fmt::format("{}: {}", command.file,
                    left == 0 ? "contains no profile entries" : "no usable entries: " + why));
  append_profile(path, taken);
  if (!command.json) {
    fmt::print("imported {}{}\n", taken.size(),
               left == 0 ? "" : fmt::format(", skipped {}: {}", left, one_line(why)));
  } else {
    print_json(Json{{"taken", taken.size()}, {"left", left}});
  }
  return done;
}

int remove(const ProfileCommand& command) {
  const fs::path path = profile_of(Engine(command.device));
  std::error_code failure;
  const bool was_there = fs::remove(path, failure);
  if (failure) throw UsageError(fmt::format("{}: {}", text_of(path), failure.message()));
  if (command.json) {
    print_json(Json{{"removed", was_there}});
  } else {
    fmt::print("{}\n", was_there ? "removed " + text_of(path) : "no profile to remove");
  }
  return done;
}

}  // namespace

void add_profile(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("profile", "The tuned kernels of a device");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* what, int (*run)(const ProfileCommand&),
                       bool with_file = false) {
    auto* part = command->add_subcommand(name, what);
    auto options = std::make_shared<ProfileCommand>();
    add_common(*part, *options);
    if (with_file) part->add_option("FILE", options->file, "A .jsonl file")->required();
    part->callback([options, run, &status] { status = run(*options); });
  };
  add("show", "List tuned and shipped kernels, and which of them are used", show);
  add("where", "Print the path of the profile", where);
  add("export", "Copy the profile to a file", export_to, true);
  add("import", "Add the entries of a file that are for this device", import_from, true);
  add("remove", "Delete the profile, with every entry of the device; journals stay", remove);
}

}  // namespace tessera::tool
