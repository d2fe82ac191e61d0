// Running the command: its output and its exit status.
#include "run_command.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
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

nlohmann::json json_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  return nlohmann::json::parse(outcome.output);
}

std::pair<long double, long double> printed_bounds(const std::string& output) {
  constexpr long double kNaN = std::numeric_limits<long double>::quiet_NaN();
  const std::string words = "proven to be from ", to = " to ";
  const auto from = output.find(words), middle = output.find(to, from + words.size());
  if (from == std::string::npos || middle == std::string::npos) return {kNaN, kNaN};
  return {std::strtold(output.c_str() + from + words.size(), nullptr),
          std::strtold(output.c_str() + middle + to.size(), nullptr)};
}

std::string npy(const std::string& dictionary, std::string_view data) {
  const std::string text = dictionary + "\n";
  std::string content = "\x93NUMPY";
  content +=
      {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return content + text + std::string(data);
}

}  // namespace tessera::test
