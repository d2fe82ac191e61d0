// Profiles in an engine: loading, finding the nearest entry, detecting stale ones.
#include "kernels/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "kernels/profile_file.hpp"
#include "runtime/kernel_source.hpp"
#include "runtime/log.hpp"
#include "runtime/once.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::kernels {
namespace {

/// The distance of a different transpose, in factors of two.
constexpr double kTranspose = 1;
/// The extra distance of a shipped entry, which was tuned elsewhere.
constexpr double kShipped = 0.5;

std::array<double, 4> logarithms(const Problem& problem) {
  const auto log = [](std::size_t size) {
    return std::log2(static_cast<double>(std::max<std::size_t>(size, 1)));
  };
  return {log(problem.m), log(problem.n), log(problem.k), log(problem.batch)};
}

/// Loaded once per context.
struct Loaded {
  runtime::Once once;
  Profile profile;
};

}  // namespace

Profile::Known Profile::known(ProfileEntry entry, bool shipped) {
  const Problem& problem = entry.problem;
  const auto size = logarithms(problem);
  const double reach = std::log2(std::max(entry.reach, 1.0));
  return {std::move(entry), shipped, size, reach};
}

void Profile::load(const DeviceInfo& device, const std::string& wish) {
  const std::lock_guard lock(mutex_);
  device_ = device;
  if (wish != "off") {
    for (ProfileEntry& entry : shipped_entries(device))
      entries_.push_back(known(std::move(entry), true));
  }
  const auto path = profile_path(device, wish);
  if (path.empty()) return;
  try {
    for (ProfileEntry& entry : read_profile(path)) {
      if (entry.device == device.name && entry.platform == device.platform)
        entries_.push_back(known(std::move(entry), false));
    }
  } catch (const Error& error) {
    runtime::log(error.what());
  }
}

std::string change_since(const ProfileEntry& entry, const Operation& operation,
                         const std::string& driver) {
  const auto variant = std::ranges::find(operation.variants, entry.kernel.variant, &Variant::name);
  if (variant == operation.variants.end()) return "there is no such kernel any more";
  if (entry.driver != driver)
    return fmt::format("the driver was {}, it is {}", entry.driver, driver);
  if (entry.source != source_hash(**variant)) return "the kernel's source has changed";
  return {};
}

bool Profile::is_current(Known& known, const Operation& operation) {
  if (known.current) return *known.current;
  const ProfileEntry& entry = known.entry;
  const std::string change =
      known.shipped ? std::string() : change_since(entry, operation, device_.driver);
  known.current = change.empty();
  if (!change.empty()) {
    runtime::log(
        fmt::format("profile: the entry of {} for {} is stale, {}; tessera tune makes a new one",
                    entry.when, describe(operation, entry.problem), change));
  }
  return *known.current;
}

std::shared_ptr<const Proposal> Profile::find(const Operation& operation, const Problem& problem) {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return nullptr;
  const auto size = logarithms(problem);
  const Mode mode = resolved(problem.mode, device_);
  Known* best = nullptr;
  double minimum = 0;
  for (Known& known : entries_) {
    const Problem& tuned = known.entry.problem;
    if (tuned.operation != operation.name || tuned.type != problem.type ||
        resolved(tuned.mode, device_) != mode)
      continue;
    double distance = 0, farthest = 0;
    const auto away = [&](double steps) {
      distance += steps;
      farthest = std::max(farthest, steps);
    };
    if (tuned.transpose_a != problem.transpose_a) away(kTranspose);
    if (tuned.transpose_b != problem.transpose_b) away(kTranspose);
    for (std::size_t i = 0; i < size.size(); i++) away(std::fabs(size[i] - known.size[i]));
    // Near before far, new before old; a shipped entry counts as a little farther.
    if (known.shipped) distance += kShipped;
    const bool better = best == nullptr || distance <= minimum;
    if (farthest <= known.reach && better && is_current(known, operation)) {
      best = &known;
      minimum = distance;
    }
  }
  if (best == nullptr) return nullptr;
  if (!best->proposal) {
    best->proposal = std::make_shared<const Proposal>(
        best->entry.kernel, fmt::format("{} for {}", best->shipped ? "shipped profile" : "tuned",
                                        describe(operation, best->entry.problem)));
  }
  return best->proposal;
}

void Profile::add(const ProfileEntry& entry) {
  const std::lock_guard lock(mutex_);
  entries_.push_back(known(entry, false));
  version_++;
}

Profile& profile_of(runtime::Stream& stream) {
  auto& loaded = stream.context().extension<Loaded>();
  loaded.once.call(
      [&] { loaded.profile.load(stream.context().device().info, stream.context().profile()); });
  return loaded.profile;
}

std::string source_hash(const Variant& variant) {
  const std::string source = runtime::joined_source(variant.files());
  const XXH128_hash_t hash = XXH3_128bits(source.data(), source.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::vector<ProfileEntry> shipped_entries(const DeviceInfo& device) {
  std::vector<ProfileEntry> entries;
  for (const auto line : std::views::split(shipped_profiles(), '\n')) {
    auto entry = parse_line(std::string_view(line.begin(), line.end()));
    if (!entry || entry->platform != device.platform) continue;
    const bool same = device.type == DeviceType::cpu ? entry->simd_width == device.simd_width
                                                     : entry->device == device.name;
    if (same) entries.push_back(std::move(*entry));
  }
  return entries;
}

}  // namespace tessera::inline v0::kernels
