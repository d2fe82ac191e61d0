// Profile files: entries to lines and back, and where the files are.
#include "kernels/profile_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <ranges>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "kernels/json.hpp"
#include "kernels/observations.hpp"
#include "runtime/environment.hpp"
#include "runtime/file.hpp"
#include "runtime/json_reader.hpp"
#include "runtime/log.hpp"
#include "runtime/path.hpp"
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

Json json_of(const Observation& seen) {
  Json json = {
      {"m", seen.m}, {"n", seen.n}, {"k", seen.k}, {"batch", seen.batch}, {"ratio", seen.ratio}};
  if (seen.op_a != Op::none) json["op_a"] = to_string(seen.op_a);
  if (seen.op_b != Op::none) json["op_b"] = to_string(seen.op_b);
  return json;
}

Observation observation_of(const Json& json) {
  return {.m = number<std::size_t>(json.at("m")),
          .n = number<std::size_t>(json.at("n")),
          .k = number<std::size_t>(json.at("k")),
          .batch = number<std::size_t>(json.at("batch")),
          .op_a = op_of(json, "op_a"),
          .op_b = op_of(json, "op_b"),
          .ratio = number<double>(json.at("ratio"), std::numeric_limits<double>::min())};
}

/// Why a line that is a JSON object cannot be read for its schema; empty for any other line.
std::string other_schema(std::string_view line) {
  const Json json = runtime::parse_or_discard(line);
  return json.is_object() ? runtime::other_schema(json) : std::string();
}

/// Throws Json::exception for more than any tuner makes: a model takes the cube of their number.
std::vector<Observation> observations_of(const Json& json) {
  constexpr std::size_t kMax = 256;
  if (!json.is_array() || json.size() > kMax)
    throw Json::other_error::create(501, "no list of observations", nullptr);
  std::vector<Observation> observations;
  std::ranges::transform(json, std::back_inserter(observations), observation_of);
  return observations;
}

}  // namespace

std::string line_of(const ProfileEntry& entry) {
  Json json = {{"schema", kJsonSchema}};
  json.update(json_of(entry.problem));
  json.update(json_of(entry.kernel));
  Json observations = Json::array();
  for (const Observation& seen : entry.observations) observations.push_back(json_of(seen));
  json.update(Json{{"observations", std::move(observations)},
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
    if (!runtime::other_schema(json).empty()) return std::nullopt;
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
    read(key, "simd_width", entry.simd_width);
    read(json, "seed", entry.seed);
    read(json, "evaluations", entry.evaluations);
    if (json.contains("observations"))
      entry.observations = observations_of(json.at("observations"));
    if (entry.observations.empty())
      entry.observations = {own_observation(entry.problem, entry.seconds, entry.default_seconds)};
    return entry;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

fs::path profile_path(const DeviceInfo& device, const std::string& wish) {
  if (wish == "off") return {};
  if (wish.ends_with(".jsonl")) return runtime::path_of(wish);
  if (!wish.empty()) return runtime::path_of(wish) / file_name(device);
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
  std::size_t skipped = 0;
  std::string why;
  for (const auto part : std::views::split(text, '\n')) {
    const std::string_view line(part.begin(), part.end());
    if (auto entry = kernels::parse_line(line)) {
      entries.push_back(std::move(*entry));
    } else if (auto other = kernels::other_schema(line); !other.empty()) {
      skipped++;
      why = std::move(other);
    }
  }
  if (skipped > 0) {
    runtime::warn(fmt::format(
        "{}: {} skipped, the last because {}; tessera tune writes new ones", runtime::text_of(file),
        skipped == 1 ? "1 line is" : fmt::format("{} lines are", skipped), why));
  }
  return entries;
}

void append_profile(const std::filesystem::path& file, std::span<const ProfileEntry> entries) {
  std::string lines;
  for (const ProfileEntry& entry : entries) lines += kernels::line_of(entry) + '\n';
  runtime::append_lines(file, lines);
}

}  // namespace tessera::inline v0
