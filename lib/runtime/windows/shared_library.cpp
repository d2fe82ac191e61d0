// Shared libraries by LoadLibrary.
#include "runtime/shared_library.hpp"

#include <windows.h>

#include "runtime/windows/wide.hpp"

namespace tessera::inline v0::runtime {

const char kPathSeparator = ';';

std::string text_of_error(unsigned long error) {
  std::wstring text(512, L'\0');
  constexpr DWORD kFlags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
  text.resize(::FormatMessageW(kFlags, nullptr, error, 0, text.data(),
                               static_cast<DWORD>(text.size()), nullptr));
  while (!text.empty() && (text.back() <= L' ' || text.back() == L'.')) text.pop_back();
  return text.empty() ? "error " + std::to_string(error) : utf8(text);
}

void* open_library(const std::string& path, std::string& failure) {
  const HMODULE library = ::LoadLibraryW(wide(path).c_str());
  if (library == nullptr) failure = text_of_error(::GetLastError());
  return library;
}

/// From the system's folder alone: a file of this name in the program's folder may be another's.
void* open_opencl_loader() {
  return ::LoadLibraryExW(L"OpenCL.dll", nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
}

void* symbol_of(void* library, const char* name) {
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library), name));
}

std::filesystem::path own_file() {
  HMODULE module = nullptr;
  constexpr DWORD kFlags =
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (!::GetModuleHandleExW(kFlags, reinterpret_cast<LPCWSTR>(&own_file), &module)) return {};
  constexpr std::size_t kLongest = 32768;  // characters that Windows has for a path
  std::wstring path(kLongest, L'\0');
  path.resize(::GetModuleFileNameW(module, path.data(), static_cast<DWORD>(path.size())));
  return path;
}

}  // namespace tessera::inline v0::runtime
