// The command on a terminal of 80 columns: lines that fit, columns that are aligned, whole words.
#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "run_command.hpp"

namespace tessera::test {
namespace {

constexpr unsigned short kColumns = 80;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// What a line shows one after the other: lines of progress are written over.
std::vector<std::string> shown_in(std::string line) {
  std::vector<std::string> shown;
  const std::string clear = "\r\x1b[K";
  for (std::size_t end = line.find(clear); end != line.npos; end = line.find(clear)) {
    shown.push_back(line.substr(0, end));
    line.erase(0, end + clear.size());
  }
  shown.push_back(line);
  return shown;
}

/// Each byte of a line is a character here.
void expect_fits(const std::string& output) {
  EXPECT_NE(output, "");
  for (const std::string& line : lines_of(output)) {
    for (const std::string& shown : shown_in(line)) EXPECT_LE(shown.size(), kColumns) << shown;
  }
}

TEST(TerminalCommandTest, WhatDoesNotFitGoesBelowInWholeWords) {
  const Folder folder;
  for (const char* arguments : {"devices", "--help", "tune --help", "profile show --help"}) {
    const Outcome shown = run_on_terminal(arguments, folder.path(), kColumns);
    EXPECT_EQ(shown.status, 0) << shown.output;
    expect_fits(shown.output);
    EXPECT_EQ(words_of(shown.output), words_of(run_command(arguments, folder.path()).output))
        << arguments;
  }
}

TEST(TerminalCommandTest, TheSecondColumnOfDevicesStartsAtOnePlace) {
  const Folder folder;
  std::set<std::size_t> starts;
  std::set<std::string> operations;
  for (const std::string& line : lines_of(run_command("devices", folder.path()).output)) {
    const auto name = line.find_first_not_of(' '), slash = line.find('/'),
               end = line.find(' ', name);
    if (slash == line.npos || slash > end) continue;
    operations.insert(line.substr(name, slash - name));
    starts.insert(line.find_first_not_of(' ', end));
  }
  EXPECT_GT(operations.size(), 5U);
  EXPECT_EQ(starts.size(), 1U);
}

TEST(TerminalCommandTest, TablesFit) {
  const Folder folder;
  for (const char* arguments :
       {"check --variant naive --largest 16", "check --variant tensor_core --dtype float",
        "multiply random:20x30 random:30x10 --every-kernel"}) {
    expect_fits(run_on_terminal(arguments, folder.path(), kColumns).output);
  }
}

}  // namespace
}  // namespace tessera::test
