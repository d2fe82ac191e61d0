// A journal's lines: {"start": kernel} before a trial, {"trial": …} after it, or
// {"dropped": kernel} if the tuner exited first.
#include "tuning/journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <ranges>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "kernels/profile_file.hpp"
#include "runtime/environment.hpp"
#include "runtime/file.hpp"
#include "runtime/json_reader.hpp"
#include "runtime/log.hpp"
#include "runtime/path.hpp"
#include "tessera/error.hpp"
#include "tuning/protocol.hpp"

namespace tessera::inline v0::tuning {
namespace {

using Key = std::pair<std::string, Parameters>;
Key key_of(const KernelChoice& kernel) { return {kernel.variant, kernel.parameters}; }

/// A name reduced to letters, digits, dots and hyphens, which any file system accepts.
std::string file_name_part(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-'; }, '-');
  return text;
}

/// Opens a journal, creates it if it is missing, and makes it end in a whole line. Rejects a link
/// because `fresh` would empty its target. Rejects a file that other users can write because a
/// journal excludes kernels that crash.
runtime::Descriptor open_journal(const std::filesystem::path& path) {
  std::error_code no_folder;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), no_folder);
  runtime::Descriptor file = runtime::open_own_to_append(path);
  const std::string name = runtime::text_of(path);
  if (file.number < 0 && errno == ELOOP)
    throw Error(ErrorCode::io, fmt::format("{}: is a link, which a journal may not be", name));
  if (file.number < 0) {
    const bool is_missing = errno == ENOENT && no_folder;
    throw UnwritableJournal(
        fmt::format("{}: {}", name, is_missing ? no_folder.message() : std::strerror(errno)));
  }
  if (!runtime::is_own_file(file))
    throw Error(
        ErrorCode::io,
        fmt::format("{}: is not a regular file that this user owns and only this user can write",
                    name));
  runtime::append_lines(file, name, "");
  runtime::rewind(file);  // it is read first
  return file;
}

}  // namespace

Journal::Journal(std::filesystem::path file, const kernels::Operation& operation,
                 const Policy& policy, bool fresh)
    : path_(std::move(file)), operation_(operation), file_(open_journal(path_)) {
  if (!runtime::lock(file_))
    throw Error(ErrorCode::busy,
                fmt::format("tune: another tuner is working on this problem: it has locked {}",
                            runtime::text_of(path_)));
  if (fresh && !runtime::truncate(file_))
    throw Error(ErrorCode::io,
                fmt::format("{}: {}", runtime::text_of(path_), std::strerror(errno)));
  read(policy);
}

Journal::Journal(const kernels::Operation& operation, std::string failure)
    : operation_(operation), failure_(std::move(failure)), file_(-1) {}

Journal::~Journal() {
  // A tuner that exits normally did not crash on its pending configurations.
  try {
    for (const auto& [variant, parameters] : pending_) {
      write({{"dropped", json_of(KernelChoice{variant, parameters})},
             {"source", source_of(variant)}});
    }
  } catch (const std::exception&) {  // for want of memory: they count as crashed
  }
}

const std::string& Journal::source_of(const std::string& variant) {
  auto& source = sources_[variant];
  if (source.empty()) source = kernels::source_hash(kernels::find_variant(operation_, variant));
  return source;
}

void Journal::read(const Policy& policy) {
  std::map<Key, int> deaths;  // starts without an end
  const std::string text = runtime::read_text(file_, runtime::text_of(path_));
  for (const auto line : std::views::split(text, '\n')) {
    try {
      const Json json = runtime::parse({line.begin(), line.end()});
      if (const auto other = runtime::other_schema(json); json.is_object() && !other.empty()) {
        runtime::log(
            fmt::format("{}: a line is skipped because {}", runtime::text_of(path_), other));
        continue;
      }
      const bool is_start = json.contains("start"), is_dropped = json.contains("dropped");
      const KernelChoice kernel = kernel_of(is_start     ? json["start"]
                                            : is_dropped ? json["dropped"]
                                                         : json.at("trial").at("kernel"));
      if (json.at("source").get<std::string>() != source_of(kernel.variant)) continue;
      if (is_start) {
        deaths[key_of(kernel)] += 1;
        continue;
      }
      deaths.erase(key_of(kernel));
      if (is_dropped) continue;
      Trial trial = trial_of(json["trial"], policy);
      if (trial.good() && trial.runs.empty()) continue;
      trial.from_journal = true;
      trials_.push_back(std::move(trial));
    } catch (const Json::exception&) {  // a truncated line, or a number out of range
    } catch (const ArgumentError&) {    // a variant that no longer exists
    }
  }
  for (const auto& [kernel, count] : deaths) {
    if (count < policy.max_deaths) continue;
    trials_.push_back({.kernel = {kernel.first, kernel.second},
                       .outcome = Outcome::crashed,
                       .reason = fmt::format("{} tuners ended while it was tried", count),
                       .from_journal = true});
  }
}

void Journal::write(const Json& entry) {
  const std::string line = line_of(runtime::with_schema(entry));
  if (failure_.empty() && !runtime::write_all(file_.number, line.data(), line.size()))
    failure_ = fmt::format("{}: {}", runtime::text_of(path_), std::strerror(errno));
}

void Journal::started(const KernelChoice& kernel) {
  if (!pending_.insert(key_of(kernel)).second) return;  // built by one process, timed by another
  write({{"start", json_of(kernel)}, {"source", source_of(kernel.variant)}});
}

void Journal::ended(const Trial& trial) {
  pending_.erase(key_of(trial.kernel));
  write({{"trial", json_of(trial)}, {"source", source_of(trial.kernel.variant)}});
}

std::filesystem::path journal_path(const DeviceInfo& device, const Problem& problem) {
  const auto folder = runtime::user_folder("XDG_STATE_HOME", ".local/state");
  if (!folder) throw UnwritableJournal("neither XDG_STATE_HOME nor HOME is set");
  const auto stem = kernels::profile_path(device, "journal").stem().string();
  const std::string whole = to_json(problem);  // batch, strides, scalars and mode, too
  return *folder / "tuning" /
         fmt::format("{}-{}-{}-{}-{}x{}x{}-{:08x}.jsonl", stem, file_name_part(device.driver),
                     problem.operation, to_string(problem.types.a), problem.m, problem.n, problem.k,
                     XXH3_64bits(whole.data(), whole.size()) & 0xffffffff);
}

}  // namespace tessera::inline v0::tuning
