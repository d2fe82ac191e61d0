// Joining kernel files into a single text for the compiler.
#include "runtime/kernel_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "runtime/environment.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

constexpr std::string_view kLineMark = "#line 1 \"";  // a file name and a quotation mark follow

std::string text_of(const std::string& file) {
  if (const auto folder = environment("TESSERA_KERNEL_DIR"); !folder.empty()) {
    std::ifstream stream(std::filesystem::path(folder) / file, std::ios::binary);
    if (stream) return {std::istreambuf_iterator<char>(stream), {}};
  }
  const auto kernels = embedded_kernels();
  const auto found = std::ranges::find(kernels, file, &EmbeddedKernel::file);
  if (found == kernels.end()) throw Error(ErrorCode::io, fmt::format("no kernel file cl/{}", file));
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
  std::vector<std::string> places;  // file:line of each source line
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
  constexpr std::string_view kUnnamed = "<kernel>:";
  std::string result;
  std::string_view rest = log;
  for (auto found = rest.find(kUnnamed); found != rest.npos; found = rest.find(kUnnamed)) {
    result += rest.substr(0, found);
    rest.remove_prefix(found + kUnnamed.size());
    std::size_t line = 0;
    const char* end = std::from_chars(rest.data(), rest.data() + rest.size(), line).ptr;
    if (line >= 1 && line <= places.size()) {
      result += places[line - 1];
      rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    } else {
      result += kUnnamed;
    }
  }
  return result.append(rest);
}

}  // namespace tessera::inline v0::runtime
