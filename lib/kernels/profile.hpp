// Profile: the tuned kernels that a context knows, and the one that is nearest to a problem.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/variant.hpp"
#include "runtime/stream.hpp"
#include "tessera/profile.hpp"

namespace tessera::inline v0::kernels {

struct Operation;

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

 private:
  struct Known {
    ProfileEntry entry;
    bool shipped;
    std::shared_ptr<const Proposal> proposal;
    std::array<double, 4> size;  // log2 of m, n, k and batch; reach is a log2 too
    double reach;
    std::optional<bool> current = {};  // set by the first check
  };
  static Known known(ProfileEntry entry, bool shipped);
  bool is_current(Known& known, const Operation& operation);

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

/// Lines of JSON that are shipped with the library; generated.
std::string_view shipped_profiles();

/// Those for this device. CPUs are distinguished by the width of their vector registers.
std::vector<ProfileEntry> shipped_entries(const DeviceInfo& device);

/// An entry as a line of a profile, without the newline, and back; empty if a line is no entry.
std::string line_of(const ProfileEntry& entry);
std::optional<ProfileEntry> parse_line(std::string_view line);

/// profile_path() with `wish` in place of $TESSERA_PROFILE.
std::filesystem::path profile_path(const DeviceInfo& device, const std::string& wish);

}  // namespace tessera::inline v0::kernels
