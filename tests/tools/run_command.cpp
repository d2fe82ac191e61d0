// Running the command, with what it printed and how it ended.
#include "run_command.hpp"

#include <sys/wait.h>

#include <cstdlib>

namespace tessera::test {

Outcome run_command(const std::string& arguments, const std::filesystem::path& folder,
                    const std::string& environment) {
  const auto output = folder / ".output", errors = folder / ".errors";
  const std::string line = "cd '" + folder.string() + "' && { " + environment +
                           " '" TESSERA_COMMAND "' " + arguments + "; } > '" + output.string() +
                           "' 2> '" + errors.string() + "'";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(output), content_of(errors)};
}

std::string npy(const std::string& dictionary, std::string_view data) {
  const std::string text = dictionary + "\n";
  std::string content = "\x93NUMPY";
  content +=
      {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return content + text + std::string(data);
}

}  // namespace tessera::test
