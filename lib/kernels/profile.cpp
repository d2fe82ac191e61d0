// Profiles in an engine: loading, finding the best entry, detecting stale ones.
#include "kernels/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <span>
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

/// Expected time, relative to the default's, below which a kernel replaces the default. Predicted
/// ratios are not more precise than that.
constexpr double kWorthwhile = 0.98;
/// Factor on the expected time of a shipped entry, which was tuned on another machine.
constexpr double kShipped = 1.02;

/// Loaded once per context.
struct Loaded {
  runtime::Once once;
  Profile profile;
};

}  // namespace

void Profile::load(const DeviceInfo& device, const std::string& wish) {
  const std::lock_guard lock(mutex_);
  device_ = device;
  if (wish != "off") {
    for (ProfileEntry& entry : shipped_entries(device))
      entries_.push_back({std::move(entry), true});
  }
  const auto path = profile_path(device, wish);
  if (path.empty()) return;
  try {
    for (ProfileEntry& entry : read_profile(path)) {
      if (entry.device == device.name && entry.platform == device.platform)
        entries_.push_back({std::move(entry), false});
    }
  } catch (const Error& error) {
    runtime::log(error.what());
  }
}

std::string change_since(const ProfileEntry& entry, const Operation& operation,
                         const std::string& driver) {
  const auto variant = std::ranges::find(operation.variants, entry.kernel.variant, &Variant::name);
  if (variant == operation.variants.end()) return "the kernel no longer exists";
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
    return false;
  }
  for (Known& older : std::span(entries_.data(), &known)) {
    if (older.entry.problem == entry.problem) older.current = false;  // replaced
  }
  return true;
}

std::shared_ptr<const Proposal> Profile::find(const Operation& operation, const Problem& problem) {
  const std::lock_guard lock(mutex_);
  const Mode mode = resolved(problem.mode, device_);
  const auto proposal = [&](const Known& known, const std::string& expected,
                            std::optional<double> seconds) {
    return std::make_shared<const Proposal>(
        Proposal{known.entry.kernel,
                 fmt::format("{} for {}{}", known.shipped ? "shipped profile" : "tuned",
                             describe(operation, known.entry.problem), expected),
                 seconds});
  };
  const Known* best = nullptr;
  double ratio = 1, lowest = kWorthwhile;
  for (Known& known : entries_ | std::views::reverse) {
    const Problem& tuned = known.entry.problem;
    if (tuned.operation != operation.name || tuned.types != problem.types ||
        resolved(tuned.mode, device_) != mode || !is_current(known, operation))
      continue;
    if (same_shape(tuned, problem))
      return proposal(known, "", known.shipped ? std::optional<double>() : known.entry.seconds);
    if (!known.model) known.model.emplace(known.entry.observations);
    const double expected = known.model->predict(problem);
    const double handicapped = known.shipped ? kShipped * expected : expected;
    if (!(handicapped < lowest)) continue;
    best = &known;
    ratio = expected;
    lowest = handicapped;
  }
  if (best == nullptr) return nullptr;
  return proposal(*best, fmt::format(", {:.2f} of the default's time expected here", ratio), {});
}

void Profile::add(const ProfileEntry& entry) {
  const std::lock_guard lock(mutex_);
  entries_.push_back({entry, false});
  version_++;
}

Profile& profile_of(runtime::Stream& stream) {
  auto& loaded = stream.context().extension<Loaded>();
  loaded.once.call(
      [&] { loaded.profile.load(stream.context().device().info, stream.context().profile()); });
  return loaded.profile;
}

std::string source_hash(const Variant& variant) {
  const std::string source = runtime::joined_source(variant.file());
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
