// Terminal: what the one behind a stream can do, and text laid out in its columns.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace tessera::tool {

/// Descriptors of standard streams.
inline constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;

/// The columns of a file or a pipe, which nothing limits.
inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

struct Terminal {
  bool redraws = false;              ///< escapes work: a terminal whose TERM is not "dumb"
  bool dims = false;                 ///< it redraws, and NO_COLOR is not set
  std::size_t columns = kUnlimited;  ///< of a terminal: its width
};

/// The terminal of a file descriptor. Its width is the window's; if the terminal does not know it,
/// $COLUMNS; else 80.
Terminal terminal_of(int descriptor);

/// Returns at most `columns` characters of `text`, which is UTF-8.
std::string_view cut(std::string_view text, std::size_t columns);

/// Returns `start` and the words of `text`, in lines of at most `columns` characters unless a word
/// is longer. Lines after the first are indented by the length of `start`.
std::string with_hanging_indent(std::string_view start, std::string_view text, std::size_t columns);
/// The same for standard output.
std::string with_hanging_indent(std::string_view start, std::string_view text);

}  // namespace tessera::tool
