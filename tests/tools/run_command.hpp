// Runs the command tessera as a user would.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "support/folder.hpp"

namespace tessera::test {

struct Outcome {
  int status = -1;
  std::string output, errors;
};

/// `arguments` as a shell reads them, in `folder`; `environment` as NAME=VALUE words.
Outcome run_command(const std::string& arguments, const std::filesystem::path& folder,
                    const std::string& environment = "");

/// The same on a terminal of so many columns: its output and errors, as lines.
Outcome run_on_terminal(const std::string& arguments, const std::filesystem::path& folder,
                        unsigned short columns);

/// The document that a command printed, which must have ended with status 0.
nlohmann::json json_of(const Outcome& outcome);

/// The bounds that eigen printed, as precise as they are; NaN where it did not.
std::pair<long double, long double> printed_bounds(const std::string& output);

/// The bytes of an .npy file of version 1 with this dictionary.
std::string npy(const std::string& dictionary, std::string_view data);

/// The bytes of numbers in memory.
template <class T>
std::string bytes_of(std::initializer_list<T> values) {
  return std::string(reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T));
}

}  // namespace tessera::test
