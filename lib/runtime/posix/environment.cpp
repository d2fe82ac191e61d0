// Environment variables, folders of the XDG base directory specification.
#include "runtime/environment.hpp"

#include <cstdlib>

namespace tessera::inline v0::runtime {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

void set_environment(const char* name, const std::string& value) {
  ::setenv(name, value.c_str(), 1);
}

std::optional<std::filesystem::path> user_folder(const char* variable, const char* otherwise) {
  if (const auto base = environment(variable); !base.empty())
    return std::filesystem::path(base) / "tessera";
  if (const auto home = environment("HOME"); !home.empty())
    return std::filesystem::path(home) / otherwise / "tessera";
  return std::nullopt;
}

}  // namespace tessera::inline v0::runtime
