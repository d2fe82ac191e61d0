// HostView: a row-major block in host memory.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include <tessera/element_type.hpp>

namespace tessera::inline v0 {

/// Elements in host memory that belong to the caller: element (i, j) is at
/// `data[i * leading_dimension + j]`, with leading_dimension >= columns. HostView<const T> is for
/// reading.
///
///     a.upload(HostView<const float>(pixels, height, width, stride));
template <class T>
requires Element<std::remove_const_t<T>>
struct HostView {
  T* data = nullptr;
  std::size_t rows = 0, columns = 0;
  std::size_t leading_dimension = 0;

  constexpr HostView() = default;
  constexpr HostView(T* first, std::size_t m, std::size_t n, std::size_t pitch)
      : data(first), rows(m), columns(n), leading_dimension(pitch) {}
  /// Contiguous rows.
  constexpr HostView(T* first, std::size_t m, std::size_t n) : HostView(first, m, n, n) {}
  /// A view for reading.
  template <class U>
  requires std::same_as<const U, T>
  constexpr HostView(const HostView<U>& other)  // NOLINT: converts
      : HostView(other.data, other.rows, other.columns, other.leading_dimension) {}

  constexpr T& operator()(std::size_t row, std::size_t column) const {
    return data[row * leading_dimension + column];
  }
  /// The `m` x `n` block that starts at (`row`, `column`). Like std::span, it checks nothing.
  constexpr HostView block(std::size_t row, std::size_t column, std::size_t m,
                           std::size_t n) const {
    return {data + row * leading_dimension + column, m, n, leading_dimension};
  }
};

}  // namespace tessera::inline v0
