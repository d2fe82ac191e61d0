// Joining kernel files into the one text that a compiler gets.
#include "runtime/kernel_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <vector>

#include "runtime/environment.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

constexpr std::string_view kLineMark = "#line 1 \"";  // a file's name and a quotation mark follow

std::string text_of(const std::string& file) {
  if (const auto folder = environment("TESSERA_KERNEL_DIR"); !folder.empty()) {
    std::ifstream stream(std::filesystem::path(folder) / file, std::ios::binary);
    if (stream) return {std::istreambuf_iterator<char>(stream), {}};
  }
  const auto kernels = embedded_kernels();
  const auto found = std::ranges::find(kernels, file, &EmbeddedKernel::file);
  if (found == kernels.end()) throw Error(fmt::format("no kernel file cl/{}", file));
  return std::string(found->text);
}

}  // namespace

std::string joined_source(std::span<const std::string> files) {
  std::string source;
  for (const std::string& file : files) {
    source += fmt::format("{}cl/{}\"\n{}", kLineMark, file, text_of(file));
    if (!source.ends_with('\n')) source += '\n';
  }
  return source;
}

std::string with_files(const std::string& log, std::string_view source) {
  std::vector<std::string> places;  // of the lines of the source
  std::string file;
  std::istringstream lines{std::string(source)};
  int number = 0;
  for (std::string line; std::getline(lines, line); number++) {
    if (line.starts_with(kLineMark)) {
      file = line.substr(kLineMark.size(), line.size() - kLineMark.size() - 1);
      number = 0;
    }
    places.push_back(fmt::format("{}:{}", file, number));
  }
  static const std::regex unnamed("<kernel>:([0-9]{1,6})");
  std::string result;
  auto rest = log.begin();
  for (std::sregex_iterator match(log.begin(), log.end(), unnamed), end; match != end; ++match) {
    const auto line = static_cast<std::size_t>(std::stoi((*match)[1]));
    result.append(rest, (*match)[0].first);
    result += line >= 1 && line <= places.size() ? places[line - 1] : match->str();
    rest = (*match)[0].second;
  }
  return result.append(rest, log.end());
}

}  // namespace tessera::inline v0::runtime
