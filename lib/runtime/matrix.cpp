// Matrix and its views: shapes, blocks, and copies to and from the host and other devices.
#include "tessera/matrix.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "runtime/memory.hpp"
#include "runtime/stream.hpp"
#include "runtime/transfer.hpp"

namespace tessera::inline v0 {
namespace {

std::string shape(std::size_t rows, std::size_t columns) {
  return fmt::format("{} x {}", rows, columns);
}

template <Element T>
Place allocate(const Engine& engine, std::size_t rows, std::size_t columns) {
  constexpr std::size_t kMost = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T);
  if (columns != 0 && rows > kMost / columns) {
    throw MatrixError(fmt::format("a matrix of {} elements is more than 64 bits can address",
                                  shape(rows, columns)));
  }
  auto memory = engine.stream()->allocate(
      rows * columns * sizeof(T), fmt::format("a matrix of {} elements", shape(rows, columns)));
  return {std::move(memory), engine.stream(), 0, rows, columns, columns};
}

template <Element T>
runtime::Block block_of(const Place& place) {
  return {place.memory.get(), place.offset * sizeof(T), place.rows, place.columns * sizeof(T),
          place.leading_dimension * sizeof(T)};
}

Place part(const Place& place, std::size_t row, std::size_t column, std::size_t rows,
           std::size_t columns) {
  if (row > place.rows || rows > place.rows - row || column > place.columns ||
      columns > place.columns - column) {
    throw MatrixError(fmt::format("a block of {} from ({}, {}) on is not inside a matrix of {}",
                                  shape(rows, columns), row, column,
                                  shape(place.rows, place.columns)));
  }
  Place result = place;
  result.offset += row * place.leading_dimension + column;
  result.rows = rows;
  result.columns = columns;
  return result;
}

void need_elements(const char* what, const Place& place, std::size_t count) {
  if (count == place.rows * place.columns) return;
  throw MatrixError(fmt::format("{}: a matrix of {} has {} elements, the span has {}", what,
                                shape(place.rows, place.columns), place.rows * place.columns,
                                count));
}

}  // namespace

template <Element T>
ConstMatrixView<T> ConstMatrixView<T>::block(std::size_t row, std::size_t column, std::size_t rows,
                                             std::size_t columns) const {
  return ConstMatrixView(part(place_, row, column, rows, columns));
}

template <Element T>
std::vector<T> ConstMatrixView<T>::to_host() const {
  std::vector<T> elements(rows() * columns());
  to_host(elements);
  return elements;
}

template <Element T>
void ConstMatrixView<T>::to_host(std::span<T> row_major) const {
  need_elements("to_host", place_, row_major.size());
  if (row_major.empty()) return;
  runtime::read(*place_.stream, block_of<T>(place_), row_major.data());
}

template <Element T>
Matrix<T> ConstMatrixView<T>::copy_to(const Engine& engine) const {
  if (place_.memory == nullptr) return Matrix<T>(engine, 0, 0);
  if (&engine.stream()->context() != &place_.stream->context()) {
    return Matrix<T>(engine, rows(), columns(), to_host());
  }
  Place copied = allocate<T>(engine, rows(), columns());
  runtime::copy(*engine.stream(), block_of<T>(place_), block_of<T>(copied));
  return Matrix<T>(std::move(copied));
}

template <Element T>
MatrixView<T> MatrixView<T>::block(std::size_t row, std::size_t column, std::size_t rows,
                                   std::size_t columns) const {
  return MatrixView(part(this->place_, row, column, rows, columns));
}

template <Element T>
void MatrixView<T>::upload(std::span<const T> row_major) const {
  const Event copied = upload_async(row_major);
  if (!row_major.empty()) runtime::wait_for_host(*this->place_.stream, copied);
}

template <Element T>
Event MatrixView<T>::upload_async(std::span<const T> row_major) const {
  need_elements("upload", this->place_, row_major.size());
  if (row_major.empty()) return {};
  return runtime::write(*this->place_.stream, block_of<T>(this->place_), row_major.data());
}

template <Element T>
Matrix<T>::Matrix(const Engine& engine, std::size_t rows, std::size_t columns)
    : place_(allocate<T>(engine, rows, columns)) {}

template <Element T>
Matrix<T>::Matrix(const Engine& engine, std::size_t rows, std::size_t columns,
                  std::span<const T> row_major)
    : Matrix(engine, rows, columns) {
  upload(row_major);
}

template <Element T>
Matrix<T>::Matrix(const Engine& engine, std::initializer_list<std::initializer_list<T>> rows)
    : Matrix(engine, rows.size(), rows.size() == 0 ? 0 : rows.begin()->size()) {
  std::vector<T> elements;
  for (const auto& row : rows) {
    if (row.size() != columns()) {
      throw MatrixError(fmt::format("row {} of the list has {} elements, the first row has {}",
                                    &row - rows.begin(), row.size(), columns()));
    }
    elements.insert(elements.end(), row.begin(), row.end());
  }
  upload(elements);
}

template <Element T>
Matrix<T>::Matrix(const ConstMatrixView<T>& view) : Matrix(view.copy_to(view.engine())) {}

template <Element T>
Matrix<T>::Matrix(const Matrix& other) : Matrix(other.view()) {}

template class ConstMatrixView<float>;
template class ConstMatrixView<double>;
template class ConstMatrixView<std::int32_t>;
template class ConstMatrixView<half>;
template class MatrixView<float>;
template class MatrixView<double>;
template class MatrixView<std::int32_t>;
template class MatrixView<half>;
template class Matrix<float>;
template class Matrix<double>;
template class Matrix<std::int32_t>;
template class Matrix<half>;

}  // namespace tessera::inline v0
