// Shared libraries by the dynamic linker's functions.
#include "runtime/shared_library.hpp"

#include <dlfcn.h>

#include <charconv>
#include <cstdint>
#include <fstream>

namespace tessera::inline v0::runtime {

const char kPathSeparator = ':';

void* open_library(const std::string& path, std::string& failure) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) failure = ::dlerror();
  return library;
}

void* open_opencl_loader() { return ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL); }

void* symbol_of(void* library, const char* name) { return ::dlsym(library, name); }

/// The path is from /proc, because the loader may have one relative to a folder that the process
/// has left, or a name that it found through PATH.
std::filesystem::path own_file() {
  const auto address = reinterpret_cast<std::uintptr_t>(&own_file);
  std::ifstream maps("/proc/self/maps");  // "begin-end flags offset device inode path"
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    const char* const last = line.data() + line.size();
    const auto first = std::from_chars(line.data(), last, begin, 16);
    if (first.ptr == last || std::from_chars(first.ptr + 1, last, end, 16).ec != std::errc())
      continue;
    const auto path = line.find('/');
    if (begin <= address && address < end && path != std::string::npos) return line.substr(path);
  }
  return {};
}

}  // namespace tessera::inline v0::runtime
