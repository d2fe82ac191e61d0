// The system by the calls of Windows.
#include "platform/system.hpp"

#include <fcntl.h>
#include <io.h>
#include <windows.h>
// Needs the header above.
#include <shellapi.h>

#include <memory>

#include "platform/path.hpp"

namespace tessera::tool {
namespace {

HANDLE handle_of(int descriptor) { return reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor)); }

}  // namespace

/// main() has the words in the code page of the system, in which letters may be missing.
std::vector<std::string> words_of_command_line(int, char**) {
  int count = 0;
  const std::unique_ptr<LPWSTR, decltype(&::LocalFree)> all(
      ::CommandLineToArgvW(::GetCommandLineW(), &count), &::LocalFree);
  std::vector<std::string> words;
  for (int i = 1; i < count; i++) words.push_back(text_of(all.get()[i]));
  return words;
}

void prepare_standard_streams() {
  for (int number = 0; number <= 2; number++) ::_setmode(number, _O_BINARY);
  ::SetConsoleOutputCP(CP_UTF8);
  for (const int number : {1, 2}) {
    DWORD mode = 0;
    if (::GetConsoleMode(handle_of(number), &mode))
      ::SetConsoleMode(handle_of(number), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

void set_environment(const char* name, const std::string& value) {
  ::_wputenv_s(path_of(name).c_str(), path_of(value).c_str());
}

bool is_terminal(int descriptor) { return ::_isatty(descriptor) != 0; }

std::size_t window_columns(int descriptor) {
  CONSOLE_SCREEN_BUFFER_INFO info = {};
  if (!::GetConsoleScreenBufferInfo(handle_of(descriptor), &info)) return 0;
  return static_cast<std::size_t>(info.srWindow.Right - info.srWindow.Left + 1);
}

double host_memory() {
  MEMORYSTATUSEX status = {};
  status.dwLength = sizeof status;
  ::GlobalMemoryStatusEx(&status);
  return static_cast<double>(status.ullTotalPhys);
}

OpenClLoader opencl_loader() {
  const HMODULE library = ::GetModuleHandleW(L"OpenCL.dll");
  if (library == nullptr) return {};
  constexpr std::size_t kLongest = 32768;  // characters that Windows has for a path
  std::wstring path(kLongest, L'\0');
  path.resize(::GetModuleFileNameW(library, path.data(), static_cast<DWORD>(path.size())));
  return {text_of(path), library};
}

void* symbol_of(void* library, const char* name) {
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library), name));
}

}  // namespace tessera::tool
