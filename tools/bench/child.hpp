// Processes of this program that measure on their own.
#pragma once

#include <string>
#include <vector>

namespace tessera::bench {

/// Remembers the path of this program.
void remember_program(const char* path);

/// Starts this program with `arguments` and waits: the lines that it printed.
std::vector<std::string> lines_of_child(const std::string& arguments);

}  // namespace tessera::bench
