// Fuzzing: the readers of text or bytes from outside, on input that libFuzzer generates.
//   TESSERA_FUZZ=npy build-fuzz/tests/fuzz/tessera-fuzz tests/fuzz/corpus/npy
// A reader must not crash, and throws only what it documents. Its result is written and read again,
// as the same value.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command.hpp"
#include "exports/kernel_tuner_cache.hpp"
#include "exports/kernel_tuner_reader.hpp"
#include "fuzz.hpp"
#include "kernels/operation.hpp"
#include "kernels/profile_file.hpp"
#include "runtime/binary_cache.hpp"
#include "runtime/device_choice.hpp"
#include "runtime/json_reader.hpp"
#include "runtime/kernel_source.hpp"
#include "tessera/capabilities.hpp"
#include "tessera/error.hpp"
#include "text.hpp"
#include "tuning/journal.hpp"
#include "tuning/protocol.hpp"
#include "tuning/worker_step.hpp"
#include "usage_error.hpp"

namespace tessera::fuzz {
namespace {

using tool::UsageError;

/// Arguments of --set.
void settings(std::string_view input) {
  std::vector<std::string> texts;
  while (const auto line = tool::next_line(input)) texts.emplace_back(*line);
  const auto parameters = unless_refused<UsageError>([&] { return tool::parse_settings(texts); });
  if (!parameters) return;
  texts.clear();
  for (const auto& [name, value] : *parameters) texts.push_back(fmt::format("{}={}", name, value));
  require(tool::parse_settings(texts) == *parameters, "the same parameters");
}

/// Text that goes to a terminal.
void text(std::string_view input) {
  const std::string valid = tool::valid_utf8(input);
  require(tool::valid_utf8(valid) == valid, "valid UTF-8 stays as it is");
  const std::string line = tool::one_line(tool::in_quotes(input));
  require(std::ranges::none_of(line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }),
          "no controls");
  require(tool::valid_utf8(line) == line, "valid UTF-8 alone");
  for (auto rest = input; !tool::next_word(rest).empty();) {
  }
}

void profile(std::string_view input) {
  const auto entry = kernels::parse_line(input);
  if (!entry) return;
  const std::string line = kernels::line_of(*entry);
  require(line.find('\n') == line.npos, "one line");
  const auto again = kernels::parse_line(line);
  require(again && kernels::line_of(*again) == line, "the same entry");
  require(again->problem == entry->problem && again->kernel == entry->kernel, "the same kernel");
}

std::vector<std::string> lines_of(const std::vector<Trial>& trials) {
  std::vector<std::string> lines;
  for (const Trial& trial : trials) lines.push_back(tuning::line_of(tuning::json_of(trial)));
  return lines;
}

void journal(std::string_view input) {
  static const auto path =
      std::filesystem::temp_directory_path() / fmt::format("tessera-journal-{}", ::getpid());
  std::ofstream(path, std::ios::binary) << input;
  const kernels::Operation operation;
  const auto trials = tuning::Journal(path, operation, tuning::kPolicy, false).trials();
  {
    tuning::Journal fresh(path, operation, tuning::kPolicy, true);
    for (const Trial& trial : trials) {
      fresh.started(trial.kernel);
      fresh.ended(trial);
    }
  }
  const tuning::Journal again(path, operation, tuning::kPolicy, false);
  require(lines_of(again.trials()) == lines_of(trials), "the same trials");
  std::filesystem::remove(path);
}

/// Calls `read` with the JSON, then with the JSON of its result.
template <class Read>
void there_and_back(const tuning::Json& json, Read&& read) {
  const auto value = unless_refused<tuning::Json::exception>([&] { return read(json); });
  if (!value) return;
  const auto written = tuning::json_of(*value);
  require(tuning::json_of(read(written)) == written, "the same message");
}

/// Messages between a tuner and its workers.
void message(std::string_view input) {
  const auto json = runtime::parse_or_discard(input);
  there_and_back(json,
                 [](const auto& message) { return tuning::trial_of(message, tuning::kPolicy); });
  there_and_back(json, [](const auto& message) { return tuning::problem_of(message); });
  there_and_back(json, [](const auto& message) { return tuning::kernel_of(message); });
  if (!json.is_string()) return;
  const auto step = tuning::step_of(json.get_ref<const std::string&>());
  require(!step || tuning::row_of(*step).name == json.get_ref<const std::string&>(), "that step");
}

void capabilities(std::string_view input) {
  const auto device = unless_refused<Error>([&] { return capabilities_from_json(input); });
  if (!device) return;
  const std::string written = to_json(*device);
  require(to_json(capabilities_from_json(written)) == written, "the same capabilities");
}

/// The input in place of a program that the cache has written.
void program(std::string_view input) {
  static constexpr std::string_view kKey = "key";
  static const runtime::BinaryCache cache([] {
    std::string folder = (std::filesystem::temp_directory_path() / "tessera-fuzz-XXXXXX").string();
    require(::mkdtemp(folder.data()) != nullptr, "a folder");
    return folder;
  }());
  static const std::filesystem::path file = [] {
    std::atexit([] { std::filesystem::remove_all(*cache.folder()); });
    cache.write(kKey, {'p', 't', 'x'});
    return std::filesystem::directory_iterator(*cache.folder())->path();
  }();
  std::ofstream(file, std::ios::binary) << input;
  const auto binary = cache.read(kKey);
  if (!binary) return;
  cache.write(kKey, *binary);
  std::ifstream stream(file, std::ios::binary);
  const std::string written(std::istreambuf_iterator<char>(stream), {});
  require(written == input, "a file is read only as it was written");
}

/// A parameter is a macro; other names could clash with an entry's own fields.
bool is_macro(const std::string& name) {
  return std::ranges::all_of(name, [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

void kernel_tuner(std::string_view input) {
  const auto recording = unless_refused<UsageError>(
      [&] { return tool::read_kernel_tuner_cache(std::string(input), "a.json"); });
  if (!recording) return;
  TuneResult result{.problem = recording->problem,
                    .device = recording->device,
                    .trials = recording->trials,
                    .default_kernel = recording->default_kernel};
  for (const Trial& trial : result.trials) {
    for (const auto& [name, value] : trial.kernel.parameters) {
      if (!is_macro(name)) return;
    }
  }
  const std::string written = tool::kernel_tuner_cache(result);
  result.trials = tool::read_kernel_tuner_cache(written, "a.json").trials;
  const std::string again = tool::kernel_tuner_cache(result);
  result.trials = tool::read_kernel_tuner_cache(again, "a.json").trials;
  require(tool::kernel_tuner_cache(result) == again, "what was rounded stays as it is");
}

/// Logs of compilers.
void build_log(std::string_view input) {
  const std::string log(input);
  const std::string named =
      runtime::with_files(log, "#line 1 \"cl/a.cl\"\nkernel\nvoid\n#line 1 \"cl/b.cl\"\n");
  require(log.find("<kernel>:") != log.npos || named == log, "a log without places as it is");
  require(runtime::with_files("<kernel>:3:" + log, "#line 1 \"cl/a.cl\"\nkernel\nvoid\n")
              .starts_with("cl/a.cl:2:"),
          "the place in the file");
}

/// Returns whether the text contains the part, in upper or lower case.
bool holds(std::string_view text, std::string_view part) {
  const auto is_same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return part.empty() || !std::ranges::search(text, part, is_same).empty();
}

/// "gpu|8|platform|name", as the device of this number is listed.
DeviceInfo listed(std::string_view line, std::size_t number) {
  std::array<std::string_view, 3> fields;
  for (std::string_view& field : fields) {
    const auto end = std::min(line.find('|'), line.size());
    field = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  DeviceInfo device;
  device.selector = fmt::format("{}:{}", number / 2, number % 2);
  for (const auto type : {DeviceType::cpu, DeviceType::gpu, DeviceType::accelerator}) {
    if (fields[0] == to_string(type)) device.type = type;
  }
  std::from_chars(fields[1].data(), fields[1].data() + fields[1].size(), device.compute_units);
  device.platform = fields[2];
  device.name = line;
  return device;
}

/// A selector, then the devices of a machine, one per line.
void selector(std::string_view input) {
  const std::string_view wish = tool::next_line(input).value_or("");
  std::vector<DeviceInfo> devices;
  while (const auto line = tool::next_line(input)) devices.push_back(listed(*line, devices.size()));
  const auto fit = [&](const DeviceInfo& device) {
    const std::string_view type = to_string(device.type);
    const bool is_exact = wish.empty() || wish == device.selector ||
                          (wish.size() == type.size() && holds(type, wish));
    return is_exact ? 3 : holds(device.name, wish) ? 2 : holds(device.platform, wish) ? 1 : 0;
  };
  int best = 0;
  for (const DeviceInfo& device : devices) best = std::max(best, fit(device));
  const auto chosen =
      unless_refused<DeviceError>([&] { return runtime::choose_device(wish, devices); });
  require(chosen.has_value() == (best > 0), "a device where one is named");
  if (!chosen) return;
  const DeviceInfo& device = devices.at(*chosen);
  require(fit(device) == best, "the device that is named best");
  require(std::ranges::none_of(devices,
                               [&](const DeviceInfo& other) {
                                 return fit(other) == best && other.type == device.type &&
                                        other.compute_units > device.compute_units;
                               }),
          "the fastest of them");
  require(runtime::choose_device(device.selector, devices) == *chosen, "its place names it");
}

struct Target {
  std::string_view name;
  void (*read)(std::string_view input);
};

constexpr std::array kTargets = {Target{"build_log", build_log},
                                 Target{"capabilities", capabilities},
                                 Target{"csv", csv},
                                 Target{"generator", generator},
                                 Target{"journal", journal},
                                 Target{"kernel_tuner", kernel_tuner},
                                 Target{"matrix_market", matrix_market},
                                 Target{"message", message},
                                 Target{"npy", npy},
                                 Target{"profile", profile},
                                 Target{"program", program},
                                 Target{"selector", selector},
                                 Target{"settings", settings},
                                 Target{"text", text}};

const Target& wanted_target() {
  const char* name = std::getenv("TESSERA_FUZZ");
  const auto found =
      std::ranges::find(kTargets, std::string_view(name != nullptr ? name : ""), &Target::name);
  if (found != kTargets.end()) return *found;
  for (const Target& target : kTargets)
    std::printf("%.*s\n", static_cast<int>(target.name.size()), target.name.data());
  std::exit(2);
}

}  // namespace
}  // namespace tessera::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto& target = tessera::fuzz::wanted_target();
  target.read({reinterpret_cast<const char*>(data), size});
  return 0;
}
