// The shell starts children. They inherit the standard error stream.
#include "child.hpp"

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>

namespace tessera::bench {
namespace {

std::string program_path;

}  // namespace

void remember_program(const char* path) { program_path = path; }

std::vector<std::string> lines_of_child(const std::string& arguments) {
  const std::string line = "'" + program_path + "' " + arguments;
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(line.c_str(), "r"), ::pclose);
  if (!pipe) throw std::runtime_error("cannot start " + line);
  std::vector<std::string> lines;
  std::array<char, 512> text{};
  while (std::fgets(text.data(), text.size(), pipe.get()) != nullptr) lines.push_back(text.data());
  if (::pclose(pipe.release()) != 0) throw std::runtime_error("failed: " + line);
  return lines;
}

}  // namespace tessera::bench
