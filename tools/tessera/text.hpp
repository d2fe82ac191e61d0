// Text: reading files whole, and numbers out of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera::tool {

/// The content of a regular file. Throws UsageError if there is none, or it is something else.
std::string read_file(const std::string& path);

std::string_view trimmed(std::string_view text);
/// ASCII letters as small ones.
std::string lower_case(std::string_view text);

/// A number that fills the text; nothing where it is none or does not fit in a double.
std::optional<double> number(std::string_view text);
std::optional<long long> integer(std::string_view text);

/// Takes the next line, without its end, from `rest`; nothing at the end of the text.
std::optional<std::string_view> next_line(std::string_view& rest);
/// Takes the next word; empty at the end.
std::string_view next_word(std::string_view& rest);

/// Returns the text, or if it is long its beginning and '…'.
std::string shortened(std::string_view text);
/// As UTF-8: each byte that is part of no character is replaced by U+FFFD, a character that was cut
/// off by one.
std::string valid_utf8(std::string_view text);
/// Returns one line for a terminal: controls, C0 and C1, become "\x1b"; bytes that are not valid
/// UTF-8 are replaced.
std::string one_line(std::string_view text);
/// "'abc'", on one line and shortened where it is long.
std::string in_quotes(std::string_view text);
/// "16 bytes", "3.5 MiB", "22.9 GiB".
std::string text_of_bytes(double bytes);

}  // namespace tessera::tool
