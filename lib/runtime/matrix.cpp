// Matrix and its views: shapes, blocks, and copies to and from the host and other devices.
#include "tessera/matrix.hpp"

#include <fmt/format.h>

#include <string>

#include "runtime/memory.hpp"
#include "runtime/shape.hpp"
#include "runtime/stream.hpp"
#include "runtime/transfer.hpp"

namespace tessera::inline v0 {
namespace {

using runtime::block_of;
using runtime::shape_text;

template <Element T>
MatrixLayout allocate(const Stream& stream, std::size_t rows, std::size_t columns) {
  const std::size_t bytes = runtime::bytes_of(rows, columns, sizeof(T));
  auto memory =
      stream->allocate(bytes, fmt::format("a matrix of {} elements", shape_text(rows, columns)));
  return {std::move(memory), stream.state(), 0, rows, columns, columns};
}

MatrixLayout part(const MatrixLayout& layout, std::size_t row, std::size_t column, std::size_t rows,
                  std::size_t columns) {
  if (row > layout.rows || rows > layout.rows - row || column > layout.columns ||
      columns > layout.columns - column) {
    throw MatrixError(ErrorCode::out_of_bounds,
                      fmt::format("a block of {} from ({}, {}) on is not inside a matrix of {}",
                                  shape_text(rows, columns), row, column,
                                  shape_text(layout.rows, layout.columns)));
  }
  MatrixLayout result = layout;
  result.offset += row * layout.leading_dimension + column;
  result.rows = rows;
  result.columns = columns;
  return result;
}

void need_elements(const char* what, const MatrixLayout& layout, std::size_t count) {
  if (count == layout.rows * layout.columns) return;
  throw MatrixError(
      ErrorCode::invalid_shape,
      fmt::format("{}: a matrix of {} has {} elements, the span has {}", what,
                  shape_text(layout.rows, layout.columns), layout.rows * layout.columns, count));
}

}  // namespace

template <Element T>
ConstMatrixView<T> ConstMatrixView<T>::block(std::size_t row, std::size_t column, std::size_t rows,
                                             std::size_t columns) const {
  return ConstMatrixView(part(layout_, row, column, rows, columns));
}

template <Element T>
std::vector<T> ConstMatrixView<T>::to_host() const {
  std::vector<T> elements(rows() * columns());
  to_host(elements);
  return elements;
}

template <Element T>
void ConstMatrixView<T>::to_host(std::span<T> row_major) const {
  need_elements("to_host", layout_, row_major.size());
  if (row_major.empty()) return;
  runtime::read(*layout_.stream, block_of(layout_, sizeof(T)), row_major.data());
}

template <Element T>
Event ConstMatrixView<T>::to_host_async(std::span<T> row_major) const {
  need_elements("to_host_async", layout_, row_major.size());
  if (row_major.empty()) return {};
  return runtime::read_async(*layout_.stream, block_of(layout_, sizeof(T)), row_major.data());
}

template <Element T>
Matrix<T> ConstMatrixView<T>::copy_to(const Stream& stream) const {
  if (layout_.memory == nullptr) return Matrix<T>(stream, 0, 0);
  if (&stream->context() != &layout_.stream->context()) {
    return Matrix<T>(stream, rows(), columns(), to_host());
  }
  MatrixLayout copied = allocate<T>(stream, rows(), columns());
  runtime::copy(*stream, block_of(layout_, sizeof(T)), block_of(copied, sizeof(T)));
  return runtime::Handles::make<Matrix<T>>(std::move(copied));
}

template <Element T>
MatrixView<T> MatrixView<T>::block(std::size_t row, std::size_t column, std::size_t rows,
                                   std::size_t columns) const {
  return MatrixView(part(this->layout_, row, column, rows, columns));
}

template <Element T>
void MatrixView<T>::upload(std::span<const T> row_major) const {
  need_elements("upload", this->layout_, row_major.size());
  if (row_major.empty()) return;
  runtime::write(*this->layout_.stream, block_of(this->layout_, sizeof(T)), row_major.data());
}

template <Element T>
Event MatrixView<T>::upload_async(std::span<const T> row_major) const {
  need_elements("upload", this->layout_, row_major.size());
  if (row_major.empty()) return {};
  return runtime::write_async(*this->layout_.stream, block_of(this->layout_, sizeof(T)),
                              row_major.data());
}

template <Element T>
Matrix<T>::Matrix(const Stream& stream, std::size_t rows, std::size_t columns)
    : layout_(allocate<T>(stream, rows, columns)) {}

template <Element T>
Matrix<T>::Matrix(const Stream& stream, std::size_t rows, std::size_t columns,
                  std::span<const T> row_major)
    : Matrix(stream, rows, columns) {
  upload(row_major);
}

template <Element T>
Matrix<T>::Matrix(const Stream& stream, std::initializer_list<std::initializer_list<T>> rows)
    : Matrix(stream, rows.size(), rows.size() == 0 ? 0 : rows.begin()->size()) {
  std::vector<T> elements;
  for (const auto& row : rows) {
    if (row.size() != columns()) {
      throw MatrixError(ErrorCode::invalid_shape,
                        fmt::format("row {} of the list has {} elements, the first row has {}",
                                    &row - rows.begin(), row.size(), columns()));
    }
    elements.insert(elements.end(), row.begin(), row.end());
  }
  upload(elements);
}

template <Element T>
Matrix<T>::Matrix(const ConstMatrixView<T>& view) : Matrix(view.copy_to(view.stream())) {}

template <Element T>
Matrix<T>::Matrix(const Matrix& other) : Matrix(other.view()) {}

template class ConstMatrixView<float>;
template class ConstMatrixView<double>;
template class ConstMatrixView<std::int32_t>;
template class ConstMatrixView<half>;
template class ConstMatrixView<std::int8_t>;
template class MatrixView<float>;
template class MatrixView<double>;
template class MatrixView<std::int32_t>;
template class MatrixView<half>;
template class MatrixView<std::int8_t>;
template class Matrix<float>;
template class Matrix<double>;
template class Matrix<std::int32_t>;
template class Matrix<half>;
template class Matrix<std::int8_t>;

}  // namespace tessera::inline v0
