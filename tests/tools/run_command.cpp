// Running the command, with what it printed and how it ended.
#include "run_command.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>
#include <utility>

#include "pty.hpp"

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

Outcome run_on_terminal(const std::string& arguments, const std::filesystem::path& folder,
                        unsigned short columns) {
  Pty terminal(columns);
  const std::string line = "cd '" + folder.string() +
                           "' && TERM=xterm NO_COLOR=1 '" TESSERA_COMMAND "' " + arguments +
                           " > '" + terminal.path() + "' 2>&1";
  Outcome outcome;
  std::jthread command([&] {
    const int status = std::system(line.c_str());
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    // The reader knows by this byte that nothing follows.
    EXPECT_EQ(::write(terminal.descriptor(), "\4", 1), 1);
  });
  std::string output;
  while (!output.ends_with('\4')) output += terminal.read_some();
  output.pop_back();
  command.join();
  outcome.output = std::move(output);
  return outcome;
}

std::string npy(const std::string& dictionary, std::string_view data) {
  const std::string text = dictionary + "\n";
  std::string content = "\x93NUMPY";
  content +=
      {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return content + text + std::string(data);
}

}  // namespace tessera::test
