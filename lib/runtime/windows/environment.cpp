// Environment variables of Windows, and the folder for data of programs.
#include "runtime/environment.hpp"

#include <windows.h>

#include "runtime/windows/wide.hpp"

namespace tessera::inline v0::runtime {

std::string environment(const char* name) {
  const std::wstring wide_name = wide(name);
  std::wstring value(256, L'\0');
  for (;;) {
    const auto capacity = static_cast<DWORD>(value.size());
    const DWORD size = ::GetEnvironmentVariableW(wide_name.c_str(), value.data(), capacity);
    value.resize(size);
    if (size < capacity) return utf8(value);
  }
}

void set_environment(const char* name, const std::string& value) {
  ::SetEnvironmentVariableW(wide(name).c_str(), wide(value).c_str());
}

std::optional<std::filesystem::path> user_folder(const char* variable, const char*) {
  for (const char* folder : {variable, "LOCALAPPDATA"}) {
    if (const auto base = environment(folder); !base.empty()) return path_of(base) / "tessera";
  }
  return std::nullopt;
}

}  // namespace tessera::inline v0::runtime
