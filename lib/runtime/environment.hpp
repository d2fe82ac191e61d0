// Environment: the user's variables, as UTF-8, and folders.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tessera::inline v0::runtime {

/// The variable's value, empty if it is not set.
std::string environment(const char* name);
/// Sets a variable of this process and its children.
void set_environment(const char* name, const std::string& value);

/// Tessera's folder in one of the XDG base directories (specifications.freedesktop.org): the one
/// that `variable` names, else `otherwise` in the home directory; empty if neither is set. On
/// Windows, %LOCALAPPDATA%\tessera takes the place of the folders in the home directory.
std::optional<std::filesystem::path> user_folder(const char* variable, const char* otherwise);

}  // namespace tessera::inline v0::runtime
