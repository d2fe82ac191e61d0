// Joining kernel files into a single text for the compiler.
#include "runtime/kernel_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

#include "runtime/environment.hpp"
#include "runtime/path.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

constexpr std::string_view kLineMark = "#line 1 \"";  // a file name and a quotation mark follow

struct SourceFile {
  std::string file, text;
};

/// Calls `call` with each line, without its end.
template <class Call>
void for_each_line(std::string_view text, Call&& call) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    call(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
}

/// The file below cl/ that a line includes; empty if it includes none.
std::string_view included_by(std::string_view line) {
  constexpr std::string_view kInclude = "#include \"";
  if (!line.starts_with(kInclude)) return {};
  line.remove_prefix(kInclude.size());
  return line.starts_with('/') ? std::string_view() : line.substr(0, line.find('"'));
}

/// Adds a file after the files that it includes, unless `entered` names it.
void add_parts(const std::string& file, std::vector<std::string>& entered,
               std::vector<SourceFile>& parts) {
  if (std::ranges::find(entered, file) != entered.end()) return;
  entered.push_back(file);
  std::string text = kernel_text(file);
  for_each_line(text, [&](std::string_view line) {
    if (const auto included = included_by(line); !included.empty())
      add_parts(std::string(included), entered, parts);
  });
  parts.push_back({file, std::move(text)});
}

std::vector<SourceFile> parts_of(const std::string& file) {
  std::vector<std::string> entered;
  std::vector<SourceFile> parts;
  add_parts(file, entered, parts);
  return parts;
}

}  // namespace

std::string kernel_text(const std::string& file) {
  if (const auto folder = environment("TESSERA_KERNEL_DIR"); !folder.empty()) {
    std::ifstream stream(path_of(folder) / file, std::ios::binary);
    if (stream) return {std::istreambuf_iterator<char>(stream), {}};
  }
  const auto kernels = embedded_kernels();
  const auto found = std::ranges::find(kernels, file, &EmbeddedKernel::file);
  if (found == kernels.end()) throw Error(ErrorCode::io, fmt::format("no kernel file cl/{}", file));
  return std::string(found->text);
}

std::vector<std::string> with_includes(const std::string& file) {
  std::vector<std::string> files;
  std::ranges::transform(parts_of(file), std::back_inserter(files), &SourceFile::file);
  return files;
}

std::string joined_source(const std::string& file) {
  std::string source;
  for (const SourceFile& part : parts_of(file)) {
    source += fmt::format("{}cl/{}\"\n", kLineMark, part.file);
    for_each_line(part.text, [&](std::string_view line) {
      if (included_by(line).empty()) source += line;
      source += '\n';
    });
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
