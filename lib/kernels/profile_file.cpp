// Profile files: entries to lines and back, and where the files are.
#include "kernels/profile_file.hpp"

#include <fmt/format.h>

#include <cctype>
#include <ranges>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "kernels/json.hpp"
#include "runtime/environment.hpp"
#include "runtime/file.hpp"
#include "runtime/json_reader.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace kernels {
namespace {

namespace fs = std::filesystem;
/// "NVIDIA_H200-7c1e": readable, and no other device's.
std::string file_name(const DeviceInfo& device) {
  std::string text;
  for (const char c : device.name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
    if (plain || !text.ends_with('_')) text += plain ? c : '_';
  }
  const std::string whole = device.platform + '\n' + device.name;
  return fmt::format("{}-{:04x}.jsonl", text.substr(0, 60),
                     XXH3_64bits(whole.data(), whole.size()) & 0xffff);
}

}  // namespace

std::string line_of(const ProfileEntry& entry) {
  Json json = {{"v", 1}};
  json.update(json_of(entry.problem));
  json.update(json_of(entry.kernel));
  json.update(Json{{"reach", entry.reach},
                   {"seconds", entry.seconds},
                   {"ci95", {entry.lower, entry.upper}},
                   {"default_seconds", entry.default_seconds},
                   {"key",
                    {{"platform", entry.platform},
                     {"device", entry.device},
                     {"driver", entry.driver},
                     {"simd_width", entry.simd_width},
                     {"source", entry.source}}},
                   {"tool", entry.version},
                   {"seed", entry.seed},
                   {"evaluations", entry.evaluations},
                   {"when", entry.when}});
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<ProfileEntry> parse_line(std::string_view line) {
  try {
    const Json json = runtime::parse(line);
    if (number<int>(json.at("v")) != 1) return std::nullopt;
    const Json& key = json.at("key");
    ProfileEntry entry{.problem = problem_of(json),
                       .kernel = kernel_of(json),
                       .seconds = number<double>(json.at("seconds"), 0),
                       .lower = number<double>(json.at("ci95").at(0), 0),
                       .upper = number<double>(json.at("ci95").at(1), 0),
                       .default_seconds = number<double>(json.at("default_seconds"), 0),
                       .platform = key.at("platform"),
                       .device = key.at("device"),
                       .driver = key.at("driver"),
                       .source = key.at("source"),
                       .version = json.value("tool", ""),
                       .when = json.value("when", "")};
    read(json, "reach", entry.reach);
    read(key, "simd_width", entry.simd_width);
    read(json, "seed", entry.seed);
    read(json, "evaluations", entry.evaluations);
    if (entry.reach < 0) return std::nullopt;
    return entry;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

fs::path profile_path(const DeviceInfo& device, const std::string& wish) {
  if (wish == "off") return {};
  if (wish.ends_with(".jsonl")) return wish;
  if (!wish.empty()) return fs::path(wish) / file_name(device);
  const auto folder = runtime::user_folder("XDG_DATA_HOME", ".local/share");
  return folder ? *folder / "profiles" / file_name(device) : fs::path();
}

}  // namespace kernels

std::filesystem::path profile_path(const DeviceInfo& device) {
  return kernels::profile_path(device, runtime::environment("TESSERA_PROFILE"));
}

std::vector<ProfileEntry> read_profile(const std::filesystem::path& file) {
  std::vector<ProfileEntry> entries;
  const std::string text = runtime::read_text(file).value_or("");
  for (const auto line : std::views::split(text, '\n')) {
    if (auto entry = kernels::parse_line({line.begin(), line.end()}))
      entries.push_back(std::move(*entry));
  }
  return entries;
}

void append_profile(const std::filesystem::path& file, std::span<const ProfileEntry> entries) {
  std::string lines;
  for (const ProfileEntry& entry : entries) lines += kernels::line_of(entry) + '\n';
  runtime::append_lines(file, lines);
}

}  // namespace tessera::inline v0
