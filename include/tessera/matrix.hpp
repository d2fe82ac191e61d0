// Matrix: a dense row-major matrix on a device; MatrixView, ConstMatrixView: blocks of it, no copy.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <tessera/engine.hpp>
#include <tessera/error.hpp>
#include <tessera/event.hpp>
#include <tessera/export.hpp>
#include <tessera/half.hpp>
#include <tessera/stream.hpp>

namespace tessera::inline v0 {

namespace runtime {
class Memory;
}

/// The element types of matrices. `half` is stored in 16 bits, multiplied and summed in float;
/// int32 arithmetic is modulo 2^32. int8 is for the operands of products, which are int32.
template <class T>
concept Element = std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, std::int32_t> || std::same_as<T, half> || std::same_as<T, std::int8_t>;

/// Where the elements of a matrix or a view are stored: element (i, j) is at index
/// `offset + i * leading_dimension + j` of the memory. For information only; views are created by
/// block() and by interop, which check that all elements are inside.
struct MatrixLayout {
  std::shared_ptr<runtime::Memory> memory = {};
  std::shared_ptr<runtime::Stream> stream = {};
  std::size_t offset = 0, rows = 0, columns = 0, leading_dimension = 0;
};

template <Element T>
class Matrix;

/// A read-only block of a matrix. It shares the matrix's memory, and keeps it alive. Assignment
/// makes a view show another block, and copies no element; a temporary view, such as
/// `a.block(...)`, cannot be assigned to. copy_into() copies elements from view to view.
template <Element T>
class TESSERA_API ConstMatrixView {
 public:
  using element_type = T;

  ConstMatrixView(const ConstMatrixView&) = default;
  ConstMatrixView(ConstMatrixView&&) noexcept = default;
  ConstMatrixView& operator=(const ConstMatrixView&) & = default;
  ConstMatrixView& operator=(ConstMatrixView&&) & noexcept = default;

  std::size_t rows() const { return layout_.rows; }
  std::size_t columns() const { return layout_.columns; }
  /// Elements from the start of a row to the start of the next.
  std::size_t leading_dimension() const { return layout_.leading_dimension; }
  Engine engine() const { return Engine(stream()); }
  /// Where transfers and operations on it are enqueued.
  Stream stream() const { return runtime::Handles::make<Stream>(layout_.stream); }
  const MatrixLayout& layout() const { return layout_; }

  /// The `rows` x `columns` block that starts at (`row`, `column`). Throws MatrixError if it is not
  /// entirely inside.
  ConstMatrixView block(std::size_t row, std::size_t column, std::size_t rows,
                        std::size_t columns) const;

  /// The elements in row-major order; waits. From a device with memory of its own, up to eight
  /// threads copy more than a few MiB.
  std::vector<T> to_host() const;
  /// The same into `row_major`, which has rows() * columns() elements; waits.
  void to_host(std::span<T> row_major) const;
  /// The same without waiting: the device writes `row_major` itself, which must not be read,
  /// changed or freed until the event is complete, also if waiting for it fails. If this throws,
  /// the device writes nothing any more, unless it is lost (Engine::lost()): then it may. Without
  /// an intermediate copy, while the host does other work, to a HostMatrix.
  Event to_host_async(std::span<T> row_major) const;
  /// A copy on another engine's device, or on another stream of the same engine; waits if the
  /// contexts differ.
  Matrix<T> copy_to(const Stream& stream) const;

 protected:
  friend struct runtime::Handles;
  explicit ConstMatrixView(MatrixLayout layout) : layout_(std::move(layout)) {}

  MatrixLayout layout_;
};

/// A writable block of a matrix. As with std::span, a const view can still be written; a const
/// Matrix cannot, and has no MatrixView.
template <Element T>
class TESSERA_API MatrixView : public ConstMatrixView<T> {
 public:
  MatrixView(const MatrixView&) = default;
  MatrixView(MatrixView&&) noexcept = default;
  MatrixView& operator=(const MatrixView&) & = default;
  MatrixView& operator=(MatrixView&&) & noexcept = default;

  MatrixView block(std::size_t row, std::size_t column, std::size_t rows,
                   std::size_t columns) const;

  /// Writes rows() * columns() elements; returns once `row_major` has been read, by up to eight
  /// threads as for to_host().
  void upload(std::span<const T> row_major) const;
  /// The same without waiting: the device reads `row_major` itself, which must not change or be
  /// freed until the event is complete, also if waiting for it fails; nor if this throws and the
  /// device is lost (Engine::lost()). Without an intermediate copy, while the host does other work,
  /// from a HostMatrix.
  Event upload_async(std::span<const T> row_major) const;

 private:
  friend struct runtime::Handles;
  explicit MatrixView(MatrixLayout layout) : ConstMatrixView<T>(std::move(layout)) {}
};

/// A dense row-major matrix that owns its device memory. Copies are deep, moves are cheap; a matrix
/// that was moved from is 0 x 0. Any shape is allowed, including 0 rows or columns. A matrix is
/// created on a stream (an Engine stands for its own stream): its transfers and the operations that
/// write it are enqueued there, unless their options name another. Throws MatrixError for a shape
/// whose size overflows, MemoryError for one that the device cannot hold.
///
/// There is no matrix without an engine: a member that gets its matrix later is a
/// `std::optional<Matrix<T>>`.
template <Element T>
class TESSERA_API Matrix {
 public:
  using element_type = T;

  /// The elements are undefined until something writes them.
  Matrix(const Stream& stream, std::size_t rows, std::size_t columns);
  /// `row_major` has rows * columns elements, and has been read when the constructor returns.
  Matrix(const Stream& stream, std::size_t rows, std::size_t columns, std::span<const T> row_major);
  /// `Matrix<float>(engine, 2, 3, {1, 2, 3, 4, 5, 6})`: the same from a list.
  Matrix(const Stream& stream, std::size_t rows, std::size_t columns,
         std::initializer_list<T> row_major)
      : Matrix(stream, rows, columns, std::span<const T>(row_major.begin(), row_major.size())) {}
  /// `{{1, 2, 3}, {4, 5, 6}}` is 2 x 3.
  Matrix(const Stream& stream, std::initializer_list<std::initializer_list<T>> rows);
  /// A copy of the elements of a view, on its stream.
  explicit Matrix(const ConstMatrixView<T>& view);

  Matrix(const Matrix& other);
  Matrix(Matrix&& other) noexcept
      : layout_(std::exchange(other.layout_, {.stream = other.layout_.stream})) {}
  Matrix& operator=(const Matrix& other) { return *this = Matrix(other); }
  Matrix& operator=(Matrix&& other) noexcept {
    layout_ = std::exchange(other.layout_, {.stream = other.layout_.stream});
    return *this;
  }

  std::size_t rows() const { return layout_.rows; }
  std::size_t columns() const { return layout_.columns; }
  std::size_t leading_dimension() const { return layout_.leading_dimension; }
  Engine engine() const { return Engine(stream()); }
  /// Where transfers and operations on it are enqueued.
  Stream stream() const { return runtime::Handles::make<Stream>(layout_.stream); }

  operator MatrixView<T>() { return runtime::Handles::make<MatrixView<T>>(layout_); }
  operator ConstMatrixView<T>() { return std::as_const(*this); }
  operator ConstMatrixView<T>() const {
    return runtime::Handles::make<ConstMatrixView<T>>(layout_);
  }
  MatrixView<T> view() { return *this; }
  ConstMatrixView<T> view() const { return *this; }

  /// A view of the `rows` x `columns` block that starts at (`row`, `column`).
  MatrixView<T> block(std::size_t row, std::size_t column, std::size_t rows, std::size_t columns) {
    return view().block(row, column, rows, columns);
  }
  ConstMatrixView<T> block(std::size_t row, std::size_t column, std::size_t rows,
                           std::size_t columns) const {
    return view().block(row, column, rows, columns);
  }

  std::vector<T> to_host() const { return view().to_host(); }
  void to_host(std::span<T> row_major) const { view().to_host(row_major); }
  Event to_host_async(std::span<T> row_major) const { return view().to_host_async(row_major); }
  void upload(std::span<const T> row_major) { view().upload(row_major); }
  Event upload_async(std::span<const T> row_major) { return view().upload_async(row_major); }
  Matrix copy_to(const Stream& stream) const { return view().copy_to(stream); }

 private:
  friend struct runtime::Handles;
  explicit Matrix(MatrixLayout layout) : layout_(std::move(layout)) {}

  MatrixLayout layout_;
};

/// Anything that can be read as a matrix of its element type: Matrix, MatrixView, ConstMatrixView.
template <class M>
concept MatrixLike = Element<typename M::element_type> &&
    std::convertible_to<const M&, ConstMatrixView<typename M::element_type>>;

template <class M, class T>
concept MatrixOf = MatrixLike<M> && std::same_as<typename M::element_type, T>;

}  // namespace tessera::inline v0
