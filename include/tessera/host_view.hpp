// HostView: a row-major block in host memory.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include <tessera/element_type.hpp>

namespace tessera::inline v0 {

/// Elements in host memory that belong to the caller: element (i, j) is at
/// `data[i * leading_dimension + j]`, with leading_dimension >= columns; in a transposed view, at
/// `data[j * leading_dimension + i]`. HostView<const T> is for reading.
///
///     a.upload(HostView<const float>(pixels, height, width, stride));
template <class T>
requires Element<std::remove_const_t<T>>
struct HostView {
  using element_type = T;

  T* data = nullptr;
  std::size_t rows = 0, columns = 0;
  std::size_t leading_dimension = 0;
  Op op = Op::none;
  bool pinned = false;  ///< the memory is known to be pinned, as a HostMatrix's is

  constexpr HostView() = default;
  constexpr HostView(T* first, std::size_t m, std::size_t n, std::size_t pitch,
                     Op turned = Op::none, bool is_pinned = false)
      : data(first), rows(m), columns(n), leading_dimension(pitch), op(turned), pinned(is_pinned) {}
  /// Contiguous rows.
  constexpr HostView(T* first, std::size_t m, std::size_t n) : HostView(first, m, n, n) {}
  /// A view for reading.
  template <class U>
  requires std::same_as<const U, T>
  constexpr HostView(const HostView<U>& other)  // NOLINT: converts
      : HostView(other.data, other.rows, other.columns, other.leading_dimension, other.op,
                 other.pinned) {}

  constexpr T& operator()(std::size_t row, std::size_t column) const {
    return data[place(row, column)];
  }
  /// The `m` x `n` block that starts at (`row`, `column`). Like std::span, it checks nothing.
  constexpr HostView block(std::size_t row, std::size_t column, std::size_t m,
                           std::size_t n) const {
    HostView part = *this;
    part.data += place(row, column);
    part.rows = m;
    part.columns = n;
    return part;
  }
  /// The transpose and the conjugate transpose, without a copy: operations conjugate the elements,
  /// operator() does not.
  constexpr HostView transposed() const { return with(Op::transpose); }
  constexpr HostView adjoint() const { return with(Op::conjugate_transpose); }

 private:
  constexpr std::size_t place(std::size_t row, std::size_t column) const {
    return is_transposed(op) ? column * leading_dimension + row : row * leading_dimension + column;
  }
  constexpr HostView with(Op other) const {
    HostView turned = *this;
    turned.rows = columns;
    turned.columns = rows;
    turned.op = composed(kElementType<std::remove_const_t<T>>, op, other);
    return turned;
  }
};

}  // namespace tessera::inline v0
