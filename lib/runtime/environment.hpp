// Environment: the user's variables and folders.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tessera::inline v0::runtime {

/// The variable's value, empty if it is not set.
std::string environment(const char* name);

/// Tessera's folder in one of the XDG base directories (specifications.freedesktop.org): the one
/// that `variable` names, else `otherwise` in the home directory; empty if neither is set.
std::optional<std::filesystem::path> user_folder(const char* variable, const char* otherwise);

}  // namespace tessera::inline v0::runtime
