// Choosing a reader by a source's ending or its first bytes.
#include "files/matrix_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "element_types.hpp"
#include "files/csv.hpp"
#include "files/generator.hpp"
#include "files/input.hpp"
#include "files/matrix_market.hpp"
#include "files/npy.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

/// Returns whether the source is standard input or a pipe, whose name has no ending.
bool is_stream(const std::string& name) {
  std::error_code ignored;
  const auto type = std::filesystem::status(name, ignored).type();
  return name == kStandardStream || name == "/dev/stdin" || name.starts_with("/dev/fd/") ||
         type == std::filesystem::file_type::fifo;
}

}  // namespace

Source::Source(const std::string& name) : name_(name) {
  if (is_generator(name)) {
    stored_ = {'g', 0};
    shape_ = generated_shape(name);
    return;
  }
  const std::string ending = lower_case(std::filesystem::path(name).extension().string());
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
    const NpyHeader header = npy_header(content_, name_);
    stored_ = {header.kind, header.item_size};
    shape_ = {header.rows, header.columns, header.stack};
  } else if (is_matrix_market) {
    format_ = Format::matrix_market;
    shape_ = matrix_market_shape(content_, name_);
  } else {
    format_ = Format::csv;
    csv_ = read_csv(content_, name_);
    shape_ = {csv_->rows, csv_->columns};
    content_ = {};
  }
}

double Source::held() const {
  const std::size_t numbers = csv_ ? csv_->elements.size() * sizeof(double) : 0;
  return static_cast<double>(content_.size() + numbers);
}

double Source::needed_to_read(ElementType type) const {
  if (format_ == Format::npy || type == ElementType::float64) return 0;
  return static_cast<double>(shape_.rows) * static_cast<double>(shape_.columns) * sizeof(double);
}

template <Element T>
HostMatrix<T> Source::read() const {
  if (format_ == Format::npy) return read_npy<T>(content_, name_);
  return converted<T>(format_ == Format::csv             ? *csv_
                      : format_ == Format::matrix_market ? read_matrix_market(content_, name_)
                                                         : generate(name_, element_type_of<T>()),
                      name_);
}

template HostMatrix<float> Source::read<float>() const;
template HostMatrix<double> Source::read<double>() const;
template HostMatrix<std::int32_t> Source::read<std::int32_t>() const;
template HostMatrix<half> Source::read<half>() const;
template HostMatrix<std::int8_t> Source::read<std::int8_t>() const;

}  // namespace tessera::tool
