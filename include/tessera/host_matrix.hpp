// HostMatrix: a matrix in host memory that a device copies from and to by itself.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include <tessera/export.hpp>
#include <tessera/matrix.hpp>
#include <tessera/stream.hpp>

namespace tessera::inline v0 {

namespace detail {

/// Pinned memory for a matrix; null for one without elements.
TESSERA_API std::shared_ptr<void> pinned_memory(const Stream& stream, ElementType type,
                                                std::size_t rows, std::size_t columns);

}  // namespace detail

/// A dense row-major matrix in pinned host memory, to fill and to read in place. Its
/// asynchronous transfers need no intermediate copy, and run while the host does other work. With
/// ordinary memory the driver copies first, or the call blocks.
///
///     HostMatrix<float> numbers(engine, rows, columns);
///     std::ranges::fill(numbers.elements(), 1.0f);
///     Event uploaded = matrix.upload_async(numbers.view());
///
/// It serves matrices on any stream and of any engine; the driver of another engine's device may
/// copy it first, as it does ordinary memory. It must not be destroyed before the event of such a
/// copy is complete. It keeps its engine's context alive. A matrix that was moved from is 0 x 0.
/// Several threads may use it at once, unless one of them writes its elements, assigns or moves it.
/// Pinned memory cannot be swapped out: use it for numbers that are copied often. Throws
/// MatrixError for a shape whose size overflows, OpenClError if the memory cannot be allocated.
template <Element T>
class HostMatrix {
 public:
  using element_type = T;

  /// The elements are undefined until something writes them.
  HostMatrix(const Stream& stream, std::size_t rows, std::size_t columns)
      : memory_(detail::pinned_memory(stream, kElementType<T>, rows, columns)),
        elements_(static_cast<T*>(memory_.get())),
        rows_(rows),
        columns_(columns) {}
  HostMatrix(const Engine& engine, std::size_t rows, std::size_t columns)
      : HostMatrix(engine.stream(), rows, columns) {}
  HostMatrix(HostMatrix&& other) noexcept { swap(other); }
  HostMatrix& operator=(HostMatrix other) noexcept {
    swap(other);
    return *this;
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

  /// The elements, row after row.
  std::span<T> elements() { return {elements_, rows_ * columns_}; }
  std::span<const T> elements() const { return {elements_, rows_ * columns_}; }

  /// A view of the matrix, and of the `rows` x `columns` block that starts at (`row`, `column`),
  /// which is not checked.
  HostView<T> view() { return {elements_, rows_, columns_, columns_, Op::none, true}; }
  HostView<const T> view() const { return {elements_, rows_, columns_, columns_, Op::none, true}; }
  HostView<T> block(std::size_t row, std::size_t column, std::size_t rows, std::size_t columns) {
    return view().block(row, column, rows, columns);
  }
  HostView<const T> block(std::size_t row, std::size_t column, std::size_t rows,
                          std::size_t columns) const {
    return view().block(row, column, rows, columns);
  }
  operator HostView<T>() { return view(); }
  operator HostView<const T>() const { return view(); }

  T& operator()(std::size_t row, std::size_t column) { return elements_[row * columns_ + column]; }
  const T& operator()(std::size_t row, std::size_t column) const {
    return elements_[row * columns_ + column];
  }

 private:
  void swap(HostMatrix& other) noexcept {
    memory_.swap(other.memory_);
    std::swap(elements_, other.elements_);
    std::swap(rows_, other.rows_);
    std::swap(columns_, other.columns_);
  }

  std::shared_ptr<void> memory_;
  T* elements_ = nullptr;
  std::size_t rows_ = 0, columns_ = 0;
};

}  // namespace tessera::inline v0
