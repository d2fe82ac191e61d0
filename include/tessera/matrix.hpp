// Matrix: a dense row-major matrix on a device; MatrixView, ConstMatrixView: blocks of it, no copy.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <tessera/detail/operand.hpp>
#include <tessera/element_type.hpp>
#include <tessera/engine.hpp>
#include <tessera/event.hpp>
#include <tessera/export.hpp>
#include <tessera/host_view.hpp>
#include <tessera/stream.hpp>

namespace tessera::inline v0 {

template <Element T>
class Matrix;

namespace detail {

template <class T>
auto rows_of(const HostView<T>& view) {
  using Void = std::conditional_t<std::is_const_v<T>, const void, void>;
  require_stored_order(view.op);
  return HostRows<Void>{view.data, view.rows, view.columns, view.leading_dimension};
}

}  // namespace detail

/// A read-only block of a matrix. It shares the matrix's memory, and keeps it alive. Assignment
/// makes a view show another block, and copies no element; a temporary view, such as
/// `a.block(...)`, cannot be assigned to. copy_into() copies elements from view to view.
template <Element T>
class ConstMatrixView {
 public:
  using element_type = T;

  ConstMatrixView(const ConstMatrixView&) = default;
  ConstMatrixView(ConstMatrixView&&) noexcept = default;
  ConstMatrixView& operator=(const ConstMatrixView&) & = default;
  ConstMatrixView& operator=(ConstMatrixView&&) & noexcept = default;

  std::size_t rows() const { return operand_.rows(); }
  std::size_t columns() const { return operand_.columns(); }
  /// Elements from the start of a stored row to the start of the next; of a transposed view, from
  /// column to column.
  std::size_t leading_dimension() const { return operand_.leading_dimension; }
  /// Index of the first element in the memory.
  std::size_t offset() const { return operand_.offset; }
  Op op() const { return operand_.op; }
  Engine engine() const { return Engine(stream()); }
  /// The stream on which its transfers and the operations that write it are enqueued.
  Stream stream() const { return detail::stream_of(operand_); }

  /// The `rows` x `columns` block that starts at (`row`, `column`). Throws MatrixError if it is not
  /// entirely inside.
  ConstMatrixView block(std::size_t row, std::size_t column, std::size_t rows,
                        std::size_t columns) const {
    return ConstMatrixView(detail::block(operand_, row, column, rows, columns));
  }

  /// The transpose, without a copy: element (i, j) of it is element (j, i) here.
  ConstMatrixView transposed() const { return viewed(Op::transpose); }
  /// The conjugate transpose, without a copy; of real elements, the transpose.
  ConstMatrixView adjoint() const { return viewed(Op::conjugate_transpose); }
  /// The conjugates, without a copy; of real elements, the same view.
  ConstMatrixView conjugated() const { return viewed(Op::conjugate); }

  /// The elements in row-major order; waits. From a device with memory of its own, up to eight
  /// threads copy more than a few MiB.
  std::vector<T> to_host() const {
    std::vector<T> elements(rows() * columns());
    to_host(elements);
    return elements;
  }
  /// The same into `row_major`, which has rows() * columns() elements; waits.
  void to_host(std::span<T> row_major) const {
    detail::require_count("to_host", operand_, row_major.size());
    detail::to_host(operand_, detail::rows_for(operand_, row_major.data()));
  }
  /// The same into rows() x columns() elements of a larger matrix in host memory; waits.
  void to_host(HostView<T> to) const { detail::to_host(operand_, detail::rows_of(to)); }
  /// The same without waiting: the device writes `row_major` itself, which must not be read,
  /// changed or freed until the event is complete, even if waiting for it fails. If this throws,
  /// the device no longer accesses `row_major`, unless the device is lost (see Engine::lost()).
  /// A HostMatrix needs no intermediate copy while the host does other work. Throws MatrixError for
  /// a transposed or conjugated view.
  Event to_host_async(std::span<T> row_major) const {
    detail::require_count("to_host_async", operand_, row_major.size());
    return detail::to_host_async(operand_, detail::rows_for(operand_, row_major.data()));
  }
  Event to_host_async(HostView<T> to) const {
    return detail::to_host_async(operand_, detail::rows_of(to));
  }
  /// A copy on another engine's device, or on another stream of the same engine; waits if the
  /// contexts differ.
  Matrix<T> copy_to(const Stream& stream) const {
    return detail::Access::make<Matrix<T>>(detail::copy_to(operand_, stream));
  }
  Matrix<T> copy_to(const Engine& engine) const { return copy_to(engine.stream()); }

 protected:
  friend struct detail::Access;
  explicit ConstMatrixView(detail::Operand operand) : operand_(std::move(operand)) {}
  ConstMatrixView viewed(Op op) const { return ConstMatrixView(detail::viewed(operand_, op)); }

  detail::Operand operand_;
};

/// A writable block of a matrix. As with std::span, a const view can still be written; a const
/// Matrix cannot, and has no MatrixView.
template <Element T>
class MatrixView : public ConstMatrixView<T> {
 public:
  MatrixView(const MatrixView&) = default;
  MatrixView(MatrixView&&) noexcept = default;
  MatrixView& operator=(const MatrixView&) & = default;
  MatrixView& operator=(MatrixView&&) & noexcept = default;

  MatrixView block(std::size_t row, std::size_t column, std::size_t rows,
                   std::size_t columns) const {
    return MatrixView(detail::block(this->operand_, row, column, rows, columns));
  }

  /// Writes rows() * columns() elements; returns once `row_major` has been read, by up to eight
  /// threads as for to_host().
  void upload(std::span<const T> row_major) const {
    detail::require_count("upload", this->operand_, row_major.size());
    detail::upload(this->operand_, detail::rows_for(this->operand_, row_major.data()));
  }
  /// The same from rows() x columns() elements of a larger matrix in host memory.
  void upload(HostView<const T> from) const {
    detail::upload(this->operand_, detail::rows_of(from));
  }
  /// The same without waiting. The device reads `row_major`, which must not change or be freed
  /// until the event is complete, even if waiting for it fails. The same holds if this throws and
  /// the device is lost (see Engine::lost()). A HostMatrix needs no intermediate copy.
  Event upload_async(std::span<const T> row_major) const {
    detail::require_count("upload_async", this->operand_, row_major.size());
    return detail::upload_async(this->operand_, detail::rows_for(this->operand_, row_major.data()));
  }
  Event upload_async(HostView<const T> from) const {
    return detail::upload_async(this->operand_, detail::rows_of(from));
  }

 private:
  friend struct detail::Access;
  explicit MatrixView(detail::Operand operand) : ConstMatrixView<T>(std::move(operand)) {}
};

/// A dense row-major matrix that owns its device memory. Copies are deep, moves are cheap; a matrix
/// that was moved from is 0 x 0. Any shape is allowed, including 0 rows or columns. A matrix is
/// created on a stream: its transfers and the operations that write it are enqueued there, unless
/// their options name another. Throws MatrixError for a shape whose size overflows, MemoryError for
/// one that the device cannot hold.
///
/// Several threads may use a Matrix object at once, unless one of them assigns, moves or destroys
/// it. The same holds for views. The device orders operations
/// that write the same elements, whichever threads enqueue them.
///
/// A default-constructed matrix is 0 x 0 and has no stream: operations refuse it, and stream() and
/// engine() throw MatrixError, until another matrix is assigned to it.
template <Element T>
class Matrix {
 public:
  using element_type = T;

  Matrix() = default;
  /// The elements are undefined until something writes them.
  Matrix(const Stream& stream, std::size_t rows, std::size_t columns)
      : Matrix(detail::allocate(stream, kElementType<T>, rows, columns)) {}
  /// `row_major` has rows * columns elements, and has been read when the constructor returns.
  Matrix(const Stream& stream, std::size_t rows, std::size_t columns, std::span<const T> row_major)
      : Matrix(stream, rows, columns) {
    upload(row_major);
  }
  /// `Matrix<float>(engine, 2, 3, {1, 2, 3, 4, 5, 6})`: the same from a list.
  Matrix(const Stream& stream, std::size_t rows, std::size_t columns,
         std::initializer_list<T> row_major)
      : Matrix(stream, rows, columns, std::span<const T>(row_major.begin(), row_major.size())) {}
  /// `{{1, 2, 3}, {4, 5, 6}}` is 2 x 3.
  Matrix(const Stream& stream, std::initializer_list<std::initializer_list<T>> rows)
      : Matrix(stream, rows.size(), rows.size() == 0 ? 0 : rows.begin()->size()) {
    std::vector<T> elements;
    for (const auto& row : rows) {
      detail::require_row(operand_, static_cast<std::size_t>(&row - rows.begin()), row.size());
      elements.insert(elements.end(), row.begin(), row.end());
    }
    upload(elements);
  }
  /// The same on the engine's own stream.
  Matrix(const Engine& engine, std::size_t rows, std::size_t columns)
      : Matrix(engine.stream(), rows, columns) {}
  Matrix(const Engine& engine, std::size_t rows, std::size_t columns, std::span<const T> row_major)
      : Matrix(engine.stream(), rows, columns, row_major) {}
  Matrix(const Engine& engine, std::size_t rows, std::size_t columns,
         std::initializer_list<T> row_major)
      : Matrix(engine.stream(), rows, columns, row_major) {}
  Matrix(const Engine& engine, std::initializer_list<std::initializer_list<T>> rows)
      : Matrix(engine.stream(), rows) {}
  /// A copy of the elements of a view, on its stream.
  explicit Matrix(const ConstMatrixView<T>& view)
      : operand_(detail::copy(detail::Access::operand(view))) {}

  Matrix(const Matrix& other) : operand_(detail::copy(other.operand_)) {}
  Matrix(Matrix&& other) noexcept : operand_(emptied(other)) {}
  Matrix& operator=(const Matrix& other) { return *this = Matrix(other); }
  Matrix& operator=(Matrix&& other) noexcept {
    operand_ = emptied(other);
    return *this;
  }
  ~Matrix() = default;

  std::size_t rows() const { return operand_.rows(); }
  std::size_t columns() const { return operand_.columns(); }
  std::size_t leading_dimension() const { return operand_.leading_dimension; }
  Engine engine() const { return Engine(stream()); }
  /// The stream on which its transfers and the operations that write it are enqueued.
  Stream stream() const { return detail::stream_of(operand_); }

  operator MatrixView<T>() { return detail::Access::make<MatrixView<T>>(operand_); }
  operator ConstMatrixView<T>() { return std::as_const(*this); }
  operator ConstMatrixView<T>() const { return detail::Access::make<ConstMatrixView<T>>(operand_); }
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
  /// Views of the transpose, of the conjugate transpose and of the conjugates.
  ConstMatrixView<T> transposed() const { return view().transposed(); }
  ConstMatrixView<T> adjoint() const { return view().adjoint(); }
  ConstMatrixView<T> conjugated() const { return view().conjugated(); }

  std::vector<T> to_host() const { return view().to_host(); }
  void to_host(std::span<T> row_major) const { view().to_host(row_major); }
  void to_host(HostView<T> to) const { view().to_host(to); }
  Event to_host_async(std::span<T> row_major) const { return view().to_host_async(row_major); }
  Event to_host_async(HostView<T> to) const { return view().to_host_async(to); }
  void upload(std::span<const T> row_major) { view().upload(row_major); }
  void upload(HostView<const T> from) { view().upload(from); }
  Event upload_async(std::span<const T> row_major) { return view().upload_async(row_major); }
  Event upload_async(HostView<const T> from) { return view().upload_async(from); }
  Matrix copy_to(const Stream& stream) const { return view().copy_to(stream); }
  Matrix copy_to(const Engine& engine) const { return view().copy_to(engine); }

 private:
  friend struct detail::Access;
  explicit Matrix(detail::Operand operand) : operand_(std::move(operand)) {}

  static detail::Operand emptied(Matrix& matrix) noexcept {
    return std::exchange(matrix.operand_,
                         {.stream = matrix.operand_.stream, .type = kElementType<T>});
  }

  detail::Operand operand_ = {.type = kElementType<T>};
};

template <class M>
using ElementOf = typename std::remove_reference_t<M>::element_type;

/// Anything that can be read as a matrix of its element type: Matrix, MatrixView, ConstMatrixView.
template <class M>
concept MatrixLike =
    Element<ElementOf<M>> && std::convertible_to<const M&, ConstMatrixView<ElementOf<M>>>;

template <class M, class T>
concept MatrixOf = MatrixLike<M> && std::same_as<ElementOf<M>, T>;

/// Anything that can be written as a matrix: a Matrix that is not const, a MatrixView.
template <class M>
concept WritableMatrix = Element<ElementOf<M>> && std::convertible_to<M, MatrixView<ElementOf<M>>>;

namespace detail {

/// C can be written as a matrix of M's elements.
template <class C, class M>
concept OutputFor = WritableMatrix<C> && std::same_as<ElementOf<C>, ElementOf<M>>;

/// The operand of a matrix or a view.
template <MatrixLike M>
const Operand& operand(const M& matrix) {
  return Access::operand(matrix);
}

}  // namespace detail

}  // namespace tessera::inline v0
