// Profile: the tuned kernels that a context knows, and the one that is nearest to a problem.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernels/operation.hpp"
#include "runtime/stream.hpp"
#include "tessera/profile.hpp"

namespace tessera::inline v0::kernels {

/// A kernel that a profile proposes, and why.
struct Proposal {
  KernelChoice choice;
  std::string reason;
};

class Profile {
 public:
  /// Reads the device's entries from the profile that `wish` names (as $TESSERA_PROFILE; empty: the
  /// default path) and, unless `wish` is "off", the shipped ones. Logs and skips unreadable files.
  void load(const DeviceInfo& device, const std::string& wish);

  /// The nearest entry whose reach covers the problem, the user's before a shipped one that is
  /// equally near; null if there is none.
  std::shared_ptr<const Proposal> find(const Operation& operation, const Problem& problem);

  /// Adds an entry, which find() considers from now on.
  void add(const ProfileEntry& entry);

  /// Changes with every modification.
  std::uint64_t version() const { return version_; }

 private:
  struct Known {
    ProfileEntry entry;
    bool shipped;
    std::array<double, 4> size;  // log2 of m, n, k and batch; reach is a log2 too
    double reach;
    std::optional<bool> current = {};               // set by the first check
    std::shared_ptr<const Proposal> proposal = {};  // made when first proposed
  };
  static Known known(ProfileEntry entry, bool shipped);
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
