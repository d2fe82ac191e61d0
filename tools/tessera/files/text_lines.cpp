// Going through lines.
#include "files/text_lines.hpp"

#include <cmath>

#include "text.hpp"

namespace tessera::tool {

TextLines::TextLines(std::string_view content, const std::string& name)
    : rest_(content), name_(name) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // some programs begin UTF-8 so
  if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  if (rest_.find('\0') != rest_.npos)
    throw UsageError(fmt::format("{}: is binary, not text: it has bytes that are 0", name));
}

bool TextLines::next(char comment) {
  while (const auto line = next_line(rest_)) {
    number_++;
    line_ = trimmed(*line);
    if (!line_.empty() && line_.front() != comment) return true;
  }
  return false;
}

Decimal finite(const std::optional<Decimal>& value, std::string_view text,
               const std::string& where) {
  if (!value) {
    throw UsageError(fmt::format("{}: {} is not a number that a double can hold", where,
                                 in_quotes(trimmed(text))));
  }
  if (!std::isfinite(value->value))
    throw UsageError(fmt::format("{}: {} is not a finite number", where, in_quotes(trimmed(text))));
  return *value;
}

}  // namespace tessera::tool
