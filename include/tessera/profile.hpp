// Profile: the kernels that were found to be the fastest for problems on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <tessera/engine.hpp>
#include <tessera/export.hpp>
#include <tessera/kernel.hpp>

namespace tessera::inline v0 {

/// One line of a profile: the kernel that a tuner found for a problem, and how it compared with the
/// default there and on other problems.
struct ProfileEntry {
  /// The kernel compared with the default on one problem of the entry's operation, type and mode.
  struct Observation {
    std::size_t m = 1, n = 1, k = 1, batch = 1;
    Op op_a = Op::none, op_b = Op::none;
    double ratio = 1;  ///< its time / the default's; finite and > 0
  };

  Problem problem;
  KernelChoice kernel;
  /// The first is of `problem`, at `seconds` / `default_seconds`. For `problem` itself, an engine
  /// uses the newest entry. For other problems it predicts the ratio by Gaussian process
  /// regression. An observation counts half at twice its size and next to nothing at four times.
  /// The engine uses the entry with the lowest prediction if this is below 0.98, else the default.
  std::vector<Observation> observations = {};
  double seconds = 0;           ///< median of one call
  double lower = 0, upper = 0;  ///< its 95 % interval
  double default_seconds = 0;   ///< of the kernel that runs without a profile
  std::string platform, device, driver;
  unsigned simd_width = 0;    ///< of the device
  std::string source;         ///< hash of the kernel's source
  std::string version, when;  ///< of the tuner; UTC, "2026-01-02T03:04:05Z"
  std::uint64_t seed = 0, evaluations = 0;
};

/// Where the entries of a device are kept: $TESSERA_PROFILE (a file ending in .jsonl, or a folder),
/// else $XDG_DATA_HOME/tessera/profiles/<device>.jsonl. Empty if $TESSERA_PROFILE is "off".
TESSERA_API std::filesystem::path profile_path(const DeviceInfo& device);

/// The entries of a file, in file order; lines that are not entries are skipped, as are unknown
/// fields. Lines of another schema than kJsonSchema are skipped with a warning in the log. An entry
/// without observations, as earlier versions wrote, gets one of its own problem, with a ratio of
/// 0.95 if one of the times is not known. Empty for a file that does not exist; throws Error for
/// one that cannot be read.
TESSERA_API std::vector<ProfileEntry> read_profile(const std::filesystem::path& file);

/// Appends lines to a file, each whole or not at all, and creates the folder if needed. Throws
/// Error.
TESSERA_API void append_profile(const std::filesystem::path& file,
                                std::span<const ProfileEntry> entries);

/// Why an engine does not use an entry: it is for another device, or the driver or the kernel's
/// source has changed. Empty if it does.
TESSERA_API std::string why_not_used(const Engine& engine, const ProfileEntry& entry);

/// The entries that come with the library for this engine's device; often none.
TESSERA_API std::vector<ProfileEntry> shipped_profile(const Engine& engine);

}  // namespace tessera::inline v0
