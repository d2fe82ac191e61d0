// Reading CSV strictly: what could mean two things is an error.
#include "files/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

#include "files/text_lines.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

/// UTF-16 as UTF-8; characters that no number has become '?'. Nothing without a byte order mark.
std::optional<std::string> from_utf16(std::string_view content) {
  const bool is_little = content.starts_with("\xff\xfe"), is_big = content.starts_with("\xfe\xff");
  if (!is_little && !is_big) return std::nullopt;
  std::string text;
  for (std::size_t i = 2; i + 1 < content.size(); i += 2) {
    const char low = content[is_little ? i : i + 1], high = content[is_little ? i + 1 : i];
    text += high == 0 && static_cast<unsigned char>(low) < 0x80 ? low : '?';
  }
  return text;
}

/// ';', ',' or ' ': whichever `line` has, in this order.
char separator_of(std::string_view line) {
  return line.find(';') != line.npos ? ';' : line.find(',') != line.npos ? ',' : ' ';
}

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  if (separator == ' ') {
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) cells.push_back(word);
    return cells;
  }
  for (;;) {
    const auto end = line.find(separator);
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == line.npos) return cells;
    line.remove_prefix(end + 1);
  }
}

std::string_view unquoted(std::string_view cell) {
  const bool has_quotes = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
  return has_quotes ? cell.substr(1, cell.size() - 2) : cell;
}

bool is_number(std::string_view cell) { return decimal(cell) || fraction(cell); }

class Reader {
 public:
  Reader(std::string_view content, const std::string& name) : lines_(content, name) {}

  HostMatrix<double> read() {
    if (!next_row()) throw UsageError(fmt::format("{}: the file is empty", lines_.name()));
    separator_ = separator_of(lines_.line());
    if (is_header()) {
      if (!next_row())
        throw UsageError(fmt::format("{}: there is no number after the names", lines_.name()));
      separator_ = separator_of(lines_.line());
    }
    do {
      add_row(cells_of(lines_.line(), separator_));
    } while (next_row());
    return std::move(matrix_);
  }

 private:
  bool next_row() { return lines_.next('#'); }

  /// Returns whether the line has only names, each of them once.
  bool is_header() const {
    const auto cells = cells_of(lines_.line(), separator_);
    if (std::ranges::any_of(cells, is_number)) return false;
    const auto is_empty = [](std::string_view cell) { return unquoted(cell).empty(); };
    if (cells.size() > 1 && is_empty(cells[0]) &&
        std::none_of(cells.begin() + 1, cells.end(), is_empty)) {
      throw lines_.error(
          "is a header whose first name is empty, as above an index: write the numbers alone "
          "(pandas: index=False, header=False)");
    }
    const auto is_name = [](std::string_view cell) {
      const auto first =
          static_cast<unsigned char>(unquoted(cell).empty() ? '0' : unquoted(cell).front());
      return std::isalpha(first) || first == '_' || first >= 0x80;
    };
    return std::ranges::all_of(cells, is_name) &&
           std::set(cells.begin(), cells.end()).size() == cells.size();
  }

  void add_row(const std::vector<std::string_view>& cells) {
    for (std::size_t i = 0; i < cells.size(); i++) {
      const auto where = [&] { return fmt::format("{}, column {}", lines_.where(), i + 1); };
      const auto value = number_of(cells[i], where);
      matrix_.elements.push_back(value.value);
      if (!value.exact)
        matrix_.rounding = std::max(matrix_.rounding, rounding_to_double(value.value));
    }
    if (matrix_.rows > 0 && cells.size() != matrix_.columns) {
      throw lines_.error(fmt::format("has {} number{}, the first row has {}", cells.size(),
                                     cells.size() == 1 ? "" : "s", matrix_.columns));
    }
    matrix_.columns = cells.size();
    matrix_.rows++;
  }

  template <class Where>
  Decimal number_of(std::string_view cell, Where&& where) {
    std::optional<Decimal> value;
    if (separator_ == ';' && cell.find_first_of(".,") != cell.npos) {
      value = with_mark(cell, where);
    } else {
      value = decimal(cell);
    }
    if (!value) value = fraction(cell);
    if (value && std::isfinite(value->value)) return *value;
    const char* separator = separator_ == ';'   ? "semicolons"
                            : separator_ == ',' ? "commas"
                                                : "blanks";
    return finite(value, cell, fmt::format("{} (separated by {})", where(), separator));
  }

  /// A decimal between semicolons: all numbers of the file have the same decimal mark.
  template <class Where>
  std::optional<Decimal> with_mark(std::string_view cell, Where&& where) {
    const char mark = cell[cell.find_first_of(".,")];
    if (mark_ == 0) mark_ = mark;
    if (mark != mark_) {
      throw UsageError(fmt::format("{}: {} has another decimal mark than the numbers before it",
                                   where(), in_quotes(cell)));
    }
    std::string text(cell);
    if (mark == ',') text[text.find(',')] = '.';
    return decimal(text);
  }

  TextLines lines_;
  char separator_ = ',', mark_ = 0;
  HostMatrix<double> matrix_;
};

}  // namespace

HostMatrix<double> read_csv(std::string_view content, const std::string& name) {
  const auto text = from_utf16(content);
  return Reader(text ? *text : content, name).read();
}

template <Element T>
std::string csv_text(const HostMatrix<T>& matrix) {
  std::string text;
  for (std::size_t i = 0; i < matrix.elements.size(); i++) {
    const char end = (i + 1) % matrix.columns == 0 ? '\n' : ',';
    if constexpr (std::is_same_v<T, half>) {
      fmt::format_to(std::back_inserter(text), "{}{}", static_cast<float>(matrix.elements[i]), end);
    } else {
      fmt::format_to(std::back_inserter(text), "{}{}", matrix.elements[i], end);
    }
  }
  return text;
}

template std::string csv_text(const HostMatrix<float>&);
template std::string csv_text(const HostMatrix<double>&);
template std::string csv_text(const HostMatrix<std::int32_t>&);
template std::string csv_text(const HostMatrix<half>&);
template std::string csv_text(const HostMatrix<std::int8_t>&);

}  // namespace tessera::tool
