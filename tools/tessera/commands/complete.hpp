// Completion: what can follow the words of an incomplete command line.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace tessera::tool {

struct Candidate {
  std::string text, description;

  bool operator==(const Candidate&) const = default;
};

/// The words that can replace the last of `words`, which follow "tessera". Empty where an argument
/// is free: shells then complete names of files.
std::vector<Candidate> candidates(const CLI::App& app, const std::vector<std::string>& words);

/// Prints a line for each candidate: its text, a tab, its description.
void print_candidates(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace tessera::tool
