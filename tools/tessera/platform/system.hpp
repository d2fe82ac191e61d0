// System: the command's words, environment, streams and machine, as the operating system has them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::tool {

/// The command line after the program's name, as UTF-8.
std::vector<std::string> words_of_command_line(int argc, char** argv);

/// Prepares the standard streams: files must not get the numbers of streams that are closed, and
/// text is UTF-8 with a bare line feed at the end of a line.
void prepare_standard_streams();

void set_environment(const char* name, const std::string& value);

/// Returns whether a descriptor is a terminal's.
bool is_terminal(int descriptor);
/// The columns of a terminal's window; 0 if they are not known.
std::size_t window_columns(int descriptor);

/// The bytes of this machine's memory.
double host_memory();

/// The OpenCL loader of this process.
struct OpenClLoader {
  std::string file;    ///< empty if the process uses none
  void* library = {};  ///< null if it cannot be asked
};
OpenClLoader opencl_loader();
/// The address of a library's function; null if it has none of that name.
void* symbol_of(void* library, const char* name);

}  // namespace tessera::tool
