// Files of profiles: a line of JSON for each entry, appended whole, read as far as they make sense.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "kernels/profile.hpp"
#include "runtime/environment.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace kernels {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::array kTypes = {ElementType::float32, ElementType::float64, ElementType::int32,
                               ElementType::float16};

std::optional<ElementType> type_named(const std::string& text) {
  const auto type = std::ranges::find(kTypes, text, [](ElementType t) { return name(t); });
  return type == kTypes.end() ? std::nullopt : std::optional(*type);
}

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
  const TuneProblem& problem = entry.problem;
  const Json json = {{"v", 1},
                     {"op", problem.operation},
                     {"dtype", name(problem.type)},
                     {"m", problem.rows},
                     {"n", problem.columns},
                     {"k", problem.inner},
                     {"transpose_a", problem.transpose_a},
                     {"transpose_b", problem.transpose_b},
                     {"variant", entry.kernel.variant},
                     {"parameters", entry.kernel.parameters},
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
                     {"when", entry.when}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<ProfileEntry> parse_line(std::string_view line) {
  try {
    const Json json = Json::parse(line);
    if (json.at("v").get<int>() != 1) return std::nullopt;
    const auto type = type_named(json.at("dtype"));
    if (!type) return std::nullopt;
    const Json& key = json.at("key");
    return ProfileEntry{.problem = {.operation = json.at("op"),
                                    .type = *type,
                                    .rows = json.at("m"),
                                    .columns = json.at("n"),
                                    .inner = json.at("k"),
                                    .transpose_a = json.value("transpose_a", false),
                                    .transpose_b = json.value("transpose_b", false)},
                        .kernel = {json.at("variant"), json.at("parameters").get<Parameters>()},
                        .seconds = json.at("seconds"),
                        .lower = json.at("ci95").at(0),
                        .upper = json.at("ci95").at(1),
                        .default_seconds = json.at("default_seconds"),
                        .platform = key.at("platform"),
                        .device = key.at("device"),
                        .driver = key.at("driver"),
                        .simd_width = key.value("simd_width", 0U),
                        .source = key.at("source"),
                        .version = json.value("tool", ""),
                        .when = json.value("when", ""),
                        .seed = json.value("seed", std::uint64_t{0}),
                        .evaluations = json.value("evaluations", std::uint64_t{0})};
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
  std::ifstream stream(file);
  if (!stream && std::filesystem::exists(file))
    throw Error(fmt::format("profile {}: {}", file.string(), std::strerror(errno)));
  for (std::string line; std::getline(stream, line);) {
    if (auto entry = kernels::parse_line(line)) entries.push_back(std::move(*entry));
  }
  if (stream.bad()) throw Error(fmt::format("profile {}: it cannot be read", file.string()));
  return entries;
}

void append_profile(const std::filesystem::path& file, std::span<const ProfileEntry> entries) {
  std::string lines;
  for (const ProfileEntry& entry : entries) lines += kernels::line_of(entry) + '\n';
  runtime::append_lines(file, lines);
}

}  // namespace tessera::inline v0
