// Shared libraries: opened by name at run time, and the one that this code is in.
#pragma once

#include <filesystem>
#include <string>

namespace tessera::inline v0::runtime {

/// Separates paths in an environment variable.
extern const char kPathSeparator;

/// Opens a library, which then stays loaded. Returns null, with the reason in `failure`, if it
/// cannot be opened.
void* open_library(const std::string& path, std::string& failure);
/// Opens the system's OpenCL loader; null if there is none.
void* open_opencl_loader();
/// The address of a function; null if the library has none of that name.
void* symbol_of(void* library, const char* name);

/// The file that this code was loaded from: the library, or a program that it is linked into. Empty
/// if it is not known.
std::filesystem::path own_file();

}  // namespace tessera::inline v0::runtime
