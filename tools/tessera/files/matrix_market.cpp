// Reading Matrix Market files line by line, so that an error can say which.
#include "files/matrix_market.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "files/text_lines.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

/// The parts of a number; the second one of a real number is 0.
using Parts = std::array<double, 2>;

struct Banner {
  bool sparse = false, pattern = false;
  std::size_t parts = 1;  // of a number
  /// The factors of the parts of an entry across the diagonal.
  std::optional<Parts> mirrored = {};

  bool is_skew() const { return mirrored && mirrored->front() < 0; }
  bool is_hermitian() const { return parts == 2 && mirrored == Parts{1, -1}; }
};

void read_field(TextLines& lines, const std::string& field, Banner& banner) {
  banner.pattern = field == "pattern";
  if (banner.pattern && !banner.sparse) throw lines.error("a pattern has the format coordinate");
  if (field == "complex") banner.parts = 2;
  constexpr std::array kFields = {"real",    "double", "integer", "unsigned-integer",
                                  "complex", "pattern"};
  if (std::ranges::find(kFields, field) == kFields.end())
    throw lines.error(fmt::format("{} is none of {}", in_quotes(field), fmt::join(kFields, ", ")));
}

void read_symmetry(TextLines& lines, const std::string& symmetry, Banner& banner) {
  if (symmetry == "symmetric") {
    banner.mirrored = {1, 1};
  } else if (symmetry == "hermitian") {
    banner.mirrored = {1, -1};
  } else if (symmetry == "skew-symmetric") {
    if (banner.pattern) throw lines.error("a pattern is general or symmetric");
    banner.mirrored = {-1, -1};
  } else if (symmetry != "general") {
    throw lines.error(fmt::format("{} is none of general, symmetric, skew-symmetric, hermitian",
                                  in_quotes(symmetry)));
  }
}

/// Network Repository begins with one % sign.
Banner banner_of(TextLines& lines) {
  if (!lines.next('\n')) throw UsageError(lines.name() + ": the file is empty");
  auto rest = lines.line();
  const auto magic = next_word(rest);
  const auto object = lower_case(next_word(rest)), format = lower_case(next_word(rest)),
             field = lower_case(next_word(rest)), symmetry = lower_case(next_word(rest));
  if ((magic != "%%MatrixMarket" && magic != "%MatrixMarket") || object != "matrix") {
    throw lines.error("not a Matrix Market matrix: it must begin with %%MatrixMarket matrix");
  }
  if (format != "coordinate" && format != "array")
    throw lines.error(fmt::format("{} is neither array nor coordinate", in_quotes(format)));
  Banner banner{.sparse = format == "coordinate"};
  read_field(lines, field, banner);
  read_symmetry(lines, symmetry, banner);
  return banner;
}

/// `count` integers that fill the line.
std::vector<long long> integers(const TextLines& lines, std::size_t count) {
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

/// Header: the lines before the numbers.
struct Header {
  Banner banner;
  std::size_t rows = 0, columns = 0;
  long long entries = 0;
};

Header read_header(TextLines& lines) {
  const Banner banner = banner_of(lines);
  if (!lines.next('%')) throw lines.error("the file ends before the line with the sizes");
  const auto sizes = integers(lines, banner.sparse ? 3 : 2);
  // Before there is memory for them: a number and a line's end are two bytes.
  checked_size(sizes[0], sizes[1], banner.parts * sizeof(double), lines.where());
  const std::size_t minimum = banner.mirrored ? 4 : 1;  // of so many elements one is listed
  if (!banner.sparse && static_cast<double>(sizes[0]) * static_cast<double>(sizes[1]) >
                            static_cast<double>(minimum * (lines.bytes_left() + 2)))
    throw lines.error("the file is too short for as many numbers");
  Header header{banner, static_cast<std::size_t>(sizes[0]), static_cast<std::size_t>(sizes[1])};
  if (banner.mirrored && header.rows != header.columns)
    throw lines.error("a symmetric matrix is square");
  if (banner.sparse) header.entries = sizes[2];
  if (header.entries < 0) throw lines.error("the number of entries is negative");
  return header;
}

struct Entry {
  std::size_t row, column;  // from 0
  Parts number;
};

/// The matrix before its elements.
Numbers matrix_of(const Header& header) {
  return {header.rows, header.columns, {}, 0, header.banner.parts};
}

/// The number that `text` has. Adds its rounding to the matrix. A pattern has no number, and means
/// 1.
Parts number_of(const TextLines& lines, std::string_view text, const Banner& banner,
                Numbers& matrix) {
  if (banner.pattern) {
    if (trimmed(text).empty()) return {1, 0};
    throw lines.error(
        fmt::format("an entry of a pattern is a row and a column, this one has {} too",
                    in_quotes(trimmed(text))));
  }
  const auto part_of = [&](std::string_view word) {
    const auto [value, exact] = finite(decimal(word), word, lines.where());
    if (!exact) matrix.rounding = std::max(matrix.rounding, rounding_to_double(value));
    return value;
  };
  if (banner.parts == 1) return {part_of(text), 0};
  const std::string_view real = next_word(text), imaginary = next_word(text);
  if (imaginary.empty() || !trimmed(text).empty())
    throw lines.error("a complex number is a real and an imaginary part");
  return {part_of(real), part_of(imaginary)};
}

/// Throws UsageError for an element that the diagonal of a symmetry cannot have.
void check_diagonal(const TextLines& lines, const Banner& banner, const Parts& number) {
  if (banner.is_skew()) throw lines.error("a skew-symmetric matrix has no entries on its diagonal");
  if (banner.is_hermitian() && number[1] != 0)
    throw lines.error("the diagonal of a hermitian matrix is real");
}

/// Goes to the line of that entry.
void next_entry(TextLines& lines, const Header& header, long long entry) {
  if (!lines.next('%'))
    throw lines.error(fmt::format("the file ends after {} of {} entries", entry, header.entries));
}

std::vector<Entry> read_entries(TextLines& lines, const Header& header, Numbers& matrix) {
  std::vector<Entry> entries;
  for (long long entry = 0; entry < header.entries; entry++) {
    next_entry(lines, header, entry);
    auto rest = lines.line();
    const auto row = integer(next_word(rest)), column = integer(next_word(rest));
    if (!row || !column) throw lines.error("an entry begins with its row and its column");
    const auto in = [](long long index, std::size_t size) {
      return index >= 1 && static_cast<std::size_t>(index) <= size;
    };
    if (!in(*row, header.rows) || !in(*column, header.columns))
      throw lines.error(fmt::format("({}, {}) is outside of {} x {}", *row, *column, header.rows,
                                    header.columns));
    const auto number = number_of(lines, rest, header.banner, matrix);
    if (*row == *column) check_diagonal(lines, header.banner, number);
    entries.push_back(
        {static_cast<std::size_t>(*row - 1), static_cast<std::size_t>(*column - 1), number});
  }
  return entries;
}

/// The sum of doubles, and whether it is exact (Knuth, The Art of Computer Programming 2, 4.2.2).
Decimal added(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b) == 0};
}

/// The matrix has its memory only when all entries are known to be there.
Numbers read_sparse(TextLines& lines, const Header& header) {
  Numbers matrix = matrix_of(header);
  const auto entries = read_entries(lines, header, matrix);
  const std::size_t parts = header.banner.parts;
  const auto& mirrored = header.banner.mirrored;
  matrix.elements.resize(header.rows * header.columns * parts);
  const bool is_rounded = matrix.rounding > 0;
  const auto add = [&](std::size_t i, std::size_t j, std::size_t part, double value) {
    double& element = matrix.elements[(i * header.columns + j) * parts + part];
    const bool is_first = element == 0;
    const auto [sum, exact] = added(element, value);
    if (!std::isfinite(sum))
      throw UsageError(
          fmt::format("{}: the entries at ({}, {}) add up to more than a double can hold",
                      lines.name(), i + 1, j + 1));
    // A sum of rounded numbers may cancel.
    if (!is_first && (is_rounded || !exact))
      matrix.rounding = std::numeric_limits<double>::infinity();
    element = sum;
  };
  for (const auto& [i, j, number] : entries) {
    for (std::size_t part = 0; part < parts; part++) {
      add(i, j, part, number[part]);
      if (mirrored && i != j) add(j, i, part, (*mirrored)[part] * number[part]);
    }
  }
  return matrix;
}

/// Column by column; of a symmetric matrix the lower triangle, of a skew-symmetric one without
/// diagonal.
Numbers read_array(TextLines& lines, const Header& header) {
  Numbers matrix = matrix_of(header);
  const std::size_t parts = header.banner.parts;
  const auto& mirrored = header.banner.mirrored;
  matrix.elements.resize(header.rows * header.columns * parts);
  if (matrix.elements.empty()) return matrix;  // one of the sizes may be huge
  const auto element = [&](std::size_t i, std::size_t j, std::size_t part) -> double& {
    return matrix.elements[(i * header.columns + j) * parts + part];
  };
  for (std::size_t j = 0; j < matrix.columns; j++) {
    const std::size_t first = !mirrored ? 0 : header.banner.is_skew() ? j + 1 : j;
    for (std::size_t i = first; i < matrix.rows; i++) {
      if (!lines.next('%'))
        throw lines.error(fmt::format("the file ends before row {}, column {}", i + 1, j + 1));
      const auto number = number_of(lines, lines.line(), header.banner, matrix);
      if (i == j) check_diagonal(lines, header.banner, number);
      for (std::size_t part = 0; part < parts; part++) {
        element(i, j, part) = number[part];
        if (mirrored && i != j) element(j, i, part) = (*mirrored)[part] * number[part];
      }
    }
  }
  return matrix;
}

}  // namespace

MatrixMarketHeader matrix_market_header(std::string_view content, const std::string& name) {
  TextLines lines(content, name);
  const Header header = read_header(lines);
  for (long long entry = 0; entry < header.entries; entry++) next_entry(lines, header, entry);
  return {{header.rows, header.columns}, header.banner.parts};
}

Numbers read_matrix_market(std::string_view content, const std::string& name) {
  TextLines lines(content, name);
  const Header header = read_header(lines);
  auto matrix = header.banner.sparse ? read_sparse(lines, header) : read_array(lines, header);
  if (lines.next('%')) {
    const bool may_have_diagonal = !header.banner.sparse && header.banner.is_skew();
    throw lines.error(fmt::format(
        "there is more than the sizes promise{}",
        may_have_diagonal ? "; the array of a skew-symmetric matrix is without the diagonal" : ""));
  }
  return matrix;
}

std::string matrix_market_text(const AnyMatrix& matrix) {
  const auto [rows, columns, stack] = matrix.shape;
  const std::size_t parts = parts_of(matrix.type);
  auto text = fmt::format("%%MatrixMarket matrix array {} general\n{} {}\n",
                          is_integer(matrix.type) ? "integer"
                          : parts == 2            ? "complex"
                                                  : "real",
                          rows, columns);
  if (matrix.elements.empty()) return text;  // one of the sizes may be huge
  for (std::size_t j = 0; j < columns; j++) {
    for (std::size_t i = 0; i < rows; i++) {
      for (std::size_t part = 0; part < parts; part++)
        text += text_of_element(matrix.type, matrix[(i * columns + j) * parts + part]) +
                (part + 1 < parts ? ' ' : '\n');
    }
  }
  return text;
}

}  // namespace tessera::tool
