// Choosing a reader by a source's ending or its first bytes.
#include "files/matrix_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "files/csv.hpp"
#include "files/generator.hpp"
#include "files/input.hpp"
#include "files/matrix_market.hpp"
#include "files/npy.hpp"
#include "platform/path.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

/// True if `name` is standard input or a pipe, whose name does not give the format.
bool is_stream(const std::string& name) {
  std::error_code ignored;
  const auto type = std::filesystem::status(path_of(name), ignored).type();
  return name == kStandardStream || name == "/dev/stdin" || name.starts_with("/dev/fd/") ||
         type == std::filesystem::file_type::fifo;
}

double bytes_of(const Shape& shape, std::size_t element_size) {
  return static_cast<double>(shape.rows) * static_cast<double>(shape.columns) *
         static_cast<double>(element_size);
}

}  // namespace

Source::Source(const std::string& name) : name_(name) {
  if (is_generator(name)) {
    stored_ = {'g', 0};
    shape_ = generated_shape(name);
    return;
  }
  const std::string ending = lower_case(text_of(path_of(name).extension()));
  const bool is_known = ending == ".npy" || ending == ".mtx" || ending == ".csv";
  if (!is_known && !is_stream(name)) {
    throw UsageError(
        fmt::format("{}: is neither a file that ends in .npy, .mtx or .csv nor a generator",
                    name.empty() ? "''" : name));
  }
  content_ = read_input(name);
  const bool is_npy = is_known ? ending == ".npy" : content_.starts_with("\x93NUMPY");
  const bool is_matrix_market =
      is_known ? ending == ".mtx"
               : content_.starts_with("%MatrixMarket") || content_.starts_with("%%MatrixMarket");
  if (name == kStandardStream) name_ = "standard input";
  if (is_npy) {
    format_ = Format::npy;
    npy_ = npy_header(content_, name_);
    stored_ = {npy_.kind, npy_.item_size};
    shape_ = {npy_.rows, npy_.columns, npy_.stack};
  } else if (is_matrix_market) {
    format_ = Format::matrix_market;
    const MatrixMarketHeader header = matrix_market_header(content_, name_);
    shape_ = header.shape;
    if (header.parts == 2) stored_ = {'c', 2 * sizeof(double)};
  } else {
    format_ = Format::csv;
    csv_ = read_csv(content_, name_);
    shape_ = {csv_.rows, csv_.columns};
    content_ = {};
  }
}

double Source::held(ElementType type) const {
  const std::size_t read = content_.size() + csv_.elements.size() * sizeof(double);
  return std::max(static_cast<double>(read), bytes_of(shape_, element_size(type)));
}

double Source::needed_to_read(ElementType type) const {
  const double matrix = bytes_of(shape_, element_size(type));
  if (format_ == Format::npy) return is_stored_as(npy_, type) ? 0 : matrix;
  const bool has_parts = stored_.kind == 'c';
  double numbers =
      format_ == Format::csv ? 0 : bytes_of(shape_, (has_parts ? 2 : 1) * sizeof(double));
  if (is_complex(type) && !has_parts) numbers += bytes_of(shape_, 2 * sizeof(double));
  return type == ElementType::float64 ? numbers : numbers + matrix;
}

AnyMatrix Source::read(ElementType type) && {
  switch (format_) {
    case Format::npy: return read_npy(std::move(content_), npy_, type, name_);
    case Format::csv: return converted(std::move(csv_), type, name_);
    case Format::generator: return converted(generate(name_, type), type, name_);
    case Format::matrix_market: break;
  }
  Numbers numbers = read_matrix_market(content_, name_);
  content_ = {};
  return converted(std::move(numbers), type, name_);
}

}  // namespace tessera::tool
