// The width of a terminal, and lines that fit into it.
#include "terminal.hpp"

#include <cstdlib>

#include "platform/system.hpp"
#include "text.hpp"

namespace tessera::tool {
namespace {

constexpr std::size_t kUsualColumns = 80;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::size_t columns_of(int descriptor) {
  if (const std::size_t columns = window_columns(descriptor); columns > 0) return columns;
  const auto columns = integer(variable("COLUMNS"));
  return columns && *columns > 0 ? static_cast<std::size_t>(*columns) : kUsualColumns;
}

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += begins_character(byte) ? 1 : 0;
  return count;
}

}  // namespace

Terminal terminal_of(int descriptor) {
  if (!is_terminal(descriptor)) return {};
  const bool redraws = variable("TERM") != "dumb";
  return {.redraws = redraws,
          .dims = redraws && variable("NO_COLOR").empty(),
          .columns = columns_of(descriptor)};
}

std::string_view cut(std::string_view text, std::size_t columns) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); i++) {
    if (begins_character(text[i]) && count++ == columns) return text.substr(0, i);
  }
  return text;
}

std::string with_hanging_indent(std::string_view start, std::string_view text,
                                std::size_t columns) {
  const std::size_t indent = characters(start);
  std::string lines(start);
  std::size_t used = indent;
  bool begins_line = true;
  for (std::string_view rest = text, word = next_word(rest); !word.empty();
       word = next_word(rest)) {
    const std::size_t length = characters(word);
    if (!begins_line && used + 1 + length > columns) {
      lines += "\n" + std::string(indent, ' ');
      used = indent;
      begins_line = true;
    }
    if (!begins_line) lines += ' ';
    lines += word;
    used += length + (begins_line ? 0 : 1);
    begins_line = false;
  }
  return lines;
}

std::string with_hanging_indent(std::string_view start, std::string_view text) {
  return with_hanging_indent(start, text, terminal_of(kStandardOutput).columns);
}

}  // namespace tessera::tool
