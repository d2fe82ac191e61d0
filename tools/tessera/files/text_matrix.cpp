// Reading matrices in text, line by line, so that an error can say which.
#include "files/text_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

/// The lines of a text with their numbers.
class Lines {
 public:
  Lines(std::string_view content, const std::string& name) : rest_(content), name_(name) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // some programs begin UTF-8 so
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  }

  /// The next line that is not blank and does not begin with `comment`; false at the end.
  bool next(char comment = '\n') {
    while (const auto line = next_line(rest_)) {
      number_++;
      line_ = trimmed(*line);
      if (!line_.empty() && line_.front() != comment) return true;
    }
    return false;
  }
  std::string_view line() const { return line_; }
  const std::string& name() const { return name_; }
  UsageError error(const std::string& what) const {
    return UsageError(fmt::format("{}: line {}: {}", name_, number_, what));
  }
  std::size_t bytes_left() const { return rest_.size(); }
  std::string where() const { return fmt::format("{}: line {}", name_, number_); }

 private:
  std::string_view rest_, line_;
  std::string name_;
  std::size_t number_ = 0;
};

double finite(const Lines& lines, std::string_view text) {
  const auto value = number(text);
  if (!value)
    throw lines.error(
        fmt::format("{} is not a number that a double can hold", in_quotes(trimmed(text))));
  if (!std::isfinite(*value))
    throw lines.error(fmt::format("{} is not a finite number", in_quotes(trimmed(text))));
  return *value;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

struct Banner {
  bool sparse = false;
  double mirrored = 0;  // the entry across the diagonal, times this; 0: there is none
};

Banner banner_of(Lines& lines) {
  if (!lines.next()) throw UsageError(lines.where() + ": the file is empty");
  auto rest = lines.line();
  const auto magic = next_word(rest);
  const auto object = lower(next_word(rest)), format = lower(next_word(rest)),
             field = lower(next_word(rest)), symmetry = lower(next_word(rest));
  if (magic != "%%MatrixMarket" || object != "matrix") {
    throw lines.error("is no Matrix Market matrix: it does not begin with %%MatrixMarket matrix");
  }
  if (format != "coordinate" && format != "array")
    throw lines.error(fmt::format("{} is neither array nor coordinate", in_quotes(format)));
  if (field == "complex") throw lines.error("has complex numbers, which tessera does not multiply");
  if (field == "pattern") throw lines.error("is a pattern: it has places, but no numbers");
  if (field != "real" && field != "integer")
    throw lines.error(fmt::format("{} is neither real nor integer", in_quotes(field)));
  Banner banner{.sparse = format == "coordinate"};
  if (symmetry == "symmetric") {
    banner.mirrored = 1;
  } else if (symmetry == "skew-symmetric") {
    banner.mirrored = -1;
  } else if (symmetry != "general") {
    throw lines.error(
        fmt::format("{} is neither general nor symmetric nor skew-symmetric", in_quotes(symmetry)));
  }
  return banner;
}

/// `count` integers that fill the line.
std::vector<long long> integers(const Lines& lines, std::size_t count) {
  std::vector<long long> values;
  auto rest = lines.line();
  for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const auto value = integer(word);
    if (!value) throw lines.error(fmt::format("{} is not an integer", in_quotes(word)));
    values.push_back(*value);
  }
  if (values.size() != count)
    throw lines.error(fmt::format("has {} numbers, {} are expected", values.size(), count));
  return values;
}

struct Entry {
  std::size_t row, column;  // from 0
  double value;
};

std::vector<Entry> read_entries(Lines& lines, const Banner& banner, std::size_t rows,
                                std::size_t columns, long long count) {
  std::vector<Entry> entries;
  for (long long entry = 0; entry < count; entry++) {
    if (!lines.next('%'))
      throw lines.error(fmt::format("the file ends after {} of {} entries", entry, count));
    auto rest = lines.line();
    const auto row = integer(next_word(rest)), column = integer(next_word(rest));
    if (!row || !column) throw lines.error("an entry begins with its row and its column");
    const auto in = [](long long index, std::size_t size) {
      return index >= 1 && static_cast<std::size_t>(index) <= size;
    };
    if (!in(*row, rows) || !in(*column, columns))
      throw lines.error(
          fmt::format("({}, {}) is outside of {} x {}", *row, *column, rows, columns));
    const double value = finite(lines, rest);
    if (banner.mirrored < 0 && *row == *column)
      throw lines.error("a skew-symmetric matrix has no entries on its diagonal");
    entries.push_back(
        {static_cast<std::size_t>(*row - 1), static_cast<std::size_t>(*column - 1), value});
  }
  return entries;
}

/// The matrix has its memory only when all entries are known to be there.
HostMatrix<double> read_sparse(Lines& lines, const Banner& banner, std::size_t rows,
                               std::size_t columns, long long count) {
  const auto entries = read_entries(lines, banner, rows, columns, count);
  HostMatrix<double> matrix{rows, columns, std::vector<double>(rows * columns)};
  for (const auto& [i, j, value] : entries) {
    double& sum = matrix.elements[i * columns + j] += value;
    if (!std::isfinite(sum))
      throw UsageError(
          fmt::format("{}: the entries at ({}, {}) add up to more than a double can hold",
                      lines.name(), i + 1, j + 1));
    if (banner.mirrored != 0 && i != j) matrix.elements[j * columns + i] += banner.mirrored * value;
  }
  return matrix;
}

/// Column by column; of a symmetric matrix the lower triangle, of a skew-symmetric one without
/// diagonal.
HostMatrix<double> read_array(Lines& lines, const Banner& banner, std::size_t rows,
                              std::size_t columns) {
  HostMatrix<double> matrix{rows, columns, std::vector<double>(rows * columns)};
  if (matrix.elements.empty()) return matrix;  // one of the sizes may be huge
  for (std::size_t j = 0; j < matrix.columns; j++) {
    const std::size_t first = banner.mirrored == 0 ? 0 : banner.mirrored > 0 ? j : j + 1;
    for (std::size_t i = first; i < matrix.rows; i++) {
      if (!lines.next('%'))
        throw lines.error(fmt::format("the file ends before row {}, column {}", i + 1, j + 1));
      const double value = finite(lines, lines.line());
      matrix.elements[i * matrix.columns + j] = value;
      if (banner.mirrored != 0 && i != j)
        matrix.elements[j * matrix.columns + i] = banner.mirrored * value;
    }
  }
  return matrix;
}

}  // namespace

HostMatrix<double> read_csv(std::string_view content, const std::string& name) {
  HostMatrix<double> matrix;
  Lines lines(content, name);
  while (lines.next()) {
    std::size_t columns = 0;
    for (auto rest = lines.line();;) {
      const auto comma = rest.find(',');
      matrix.elements.push_back(finite(lines, rest.substr(0, comma)));
      columns++;
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    if (matrix.rows > 0 && columns != matrix.columns) {
      throw lines.error(
          fmt::format("has {} numbers, the first row has {}", columns, matrix.columns));
    }
    matrix.columns = columns;
    matrix.rows++;
  }
  if (matrix.rows == 0) throw UsageError(fmt::format("{}: the file is empty", name));
  return matrix;
}

HostMatrix<double> read_matrix_market(std::string_view content, const std::string& name) {
  Lines lines(content, name);
  const Banner banner = banner_of(lines);
  if (!lines.next('%')) throw lines.error("the file ends before the line with the sizes");
  const auto sizes = integers(lines, banner.sparse ? 3 : 2);
  // Before there is memory for them: a number and a line's end are two bytes.
  checked_size(sizes[0], sizes[1], sizeof(double), lines.where());
  const std::size_t minimum = banner.mirrored == 0 ? 1 : 4;  // of so many elements one is listed
  if (!banner.sparse && static_cast<double>(sizes[0]) * static_cast<double>(sizes[1]) >
                            static_cast<double>(minimum * (lines.bytes_left() + 2)))
    throw lines.error("the file is too short for as many numbers");
  const auto rows = static_cast<std::size_t>(sizes[0]),
             columns = static_cast<std::size_t>(sizes[1]);
  if (banner.mirrored != 0 && rows != columns) throw lines.error("a symmetric matrix is square");
  if (banner.sparse && sizes[2] < 0) throw lines.error("the number of entries is negative");
  auto matrix = banner.sparse ? read_sparse(lines, banner, rows, columns, sizes[2])
                              : read_array(lines, banner, rows, columns);
  if (lines.next('%')) throw lines.error("there is more than the sizes promise");
  return matrix;
}

}  // namespace tessera::tool
