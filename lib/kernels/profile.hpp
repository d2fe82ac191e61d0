// Profile: the tuned kernels that a context knows, and the one that is best for a problem.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernels/observations.hpp"
#include "kernels/operation.hpp"
#include "runtime/stream.hpp"
#include "tessera/profile.hpp"

namespace tessera::inline v0::kernels {

/// A kernel that a profile proposes, and why.
struct Proposal {
  KernelChoice choice;
  std::string reason;
  std::optional<double> seconds;  ///< of one call, if it was timed for such a problem
};

class Profile {
 public:
  /// Reads the device's entries from the profile that `wish` names (as $TESSERA_PROFILE; empty: the
  /// default path) and, unless `wish` is "off", the shipped ones. Logs and skips unreadable files.
  void load(const DeviceInfo& device, const std::string& wish);

  /// The kernel of the newest entry for the problem itself, the user's before a shipped one; else
  /// the one whose entry predicts the lowest time here, if that is worth leaving the default for.
  /// Null if there is none.
  std::shared_ptr<const Proposal> find(const Operation& operation, const Problem& problem);

  /// Adds an entry, which find() considers from now on.
  void add(const ProfileEntry& entry);

  /// Changes with every modification.
  std::uint64_t version() const { return version_; }

 private:
  struct Known {
    ProfileEntry entry;
    bool shipped;
    std::optional<bool> current = {};      // set by the first check
    std::optional<RatioModel> model = {};  // made for the first prediction
  };
  /// Neither stale nor replaced. Newer entries are to be checked before older ones.
  bool is_current(Known& known, const Operation& operation);

  std::atomic<std::uint64_t> version_ = 0;
  std::mutex mutex_;
  DeviceInfo device_;
  std::vector<Known> entries_;  // newest last
};

/// What has changed since an entry for the same device was made, so that it is not used; empty if
/// it is used.
std::string change_since(const ProfileEntry& entry, const Operation& operation,
                         const std::string& driver);

/// The profile of a stream's context, loaded on first use.
Profile& profile_of(runtime::Stream& stream);

/// A hash of the text that a variant is compiled from.
std::string source_hash(const Variant& variant);

/// The shipped entries for this device. CPUs are distinguished by the width of their vector
/// registers.
std::vector<ProfileEntry> shipped_entries(const DeviceInfo& device);

}  // namespace tessera::inline v0::kernels
