// Text lines: the lines of a file that are not blank, with their numbers for errors.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "files/decimal.hpp"
#include "usage_error.hpp"

namespace tessera::tool {

class TextLines {
 public:
  /// `content` is kept by reference; a byte order mark of UTF-8 is skipped. Throws UsageError for
  /// binary data.
  TextLines(std::string_view content, const std::string& name);

  /// Reads the next line that is not blank and does not begin with `comment`; false at the end.
  bool next(char comment);
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }
  const std::string& name() const { return name_; }
  std::size_t bytes_left() const { return rest_.size(); }
  /// "name: line 3"
  std::string where() const { return fmt::format("{}: line {}", name_, number_); }
  UsageError error(const std::string& what) const {
    return UsageError(fmt::format("{}: {}", where(), what));
  }

 private:
  std::string_view rest_, line_;
  std::string name_;
  std::size_t number_ = 0;
};

/// `value`, read from `text`, if it is a finite number; else throws UsageError, which begins with
/// `where`.
Decimal finite(const std::optional<Decimal>& value, std::string_view text,
               const std::string& where);

}  // namespace tessera::tool
