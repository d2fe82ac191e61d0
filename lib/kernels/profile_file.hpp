// Profile files: a line of JSON per entry, appended whole; lines that do not parse are skipped.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/profile.hpp"

namespace tessera::inline v0::kernels {

/// An entry as a line of a profile, without the newline, and back; empty if a line is no entry.
std::string line_of(const ProfileEntry& entry);
std::optional<ProfileEntry> parse_line(std::string_view line);

/// profile_path() with `wish` in place of $TESSERA_PROFILE.
std::filesystem::path profile_path(const DeviceInfo& device, const std::string& wish);

/// Lines of JSON that are shipped with the library; generated.
std::string_view shipped_profiles();

}  // namespace tessera::inline v0::kernels
