// Running the command, with what it printed and how it ended.
#include "run_command.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace tessera::test {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Outcome run_command(const std::string& arguments, const std::filesystem::path& folder,
                    const std::string& environment) {
  const auto output = folder / ".output", errors = folder / ".errors";
  const std::string line = "cd '" + folder.string() + "' && { " + environment +
                           " '" TESSERA_COMMAND "' " + arguments + "; } > '" + output.string() +
                           "' 2> '" + errors.string() + "'";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(output), read(errors)};
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "tessera-XXXXXX").string();
  path_ = ::mkdtemp(name.data());
}

Folder::~Folder() { std::filesystem::remove_all(path_); }

std::string Folder::file(const std::string& name, std::string_view content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
  return name;
}

std::string Folder::content(const std::string& name) const { return read(path_ / name); }

std::string npy(const std::string& dictionary, std::string_view data) {
  const std::string text = dictionary + "\n";
  std::string content = "\x93NUMPY";
  content +=
      {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return content + text + std::string(data);
}

}  // namespace tessera::test
