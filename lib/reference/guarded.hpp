// Guarded: matrices for checks, within larger ones that are poisoned.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "tessera/matrix.hpp"

namespace tessera::inline v0::reference {

/// A value that no product here has, and that propagates if it is read: NaN if the type has one.
template <Element T>
T poison() {
  if constexpr (std::integral<T>) {
    return static_cast<T>(0x5eed5eed);
  } else {
    return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
  }
}

template <Element T>
std::vector<T> random_elements(std::size_t count, std::mt19937_64& random) {
  std::vector<T> elements(count);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (T& element : elements) {
    if constexpr (std::integral<T>) {
      element = static_cast<T>(random());
    } else {
      element = static_cast<T>(static_cast<float>(uniform(random)));
    }
  }
  return elements;
}

/// Matrices of one shape, one below the other within a larger one that is poisoned. Strided ones
/// have columns beside them, and a row between one and the next.
template <Element T>
class Guarded {
 public:
  Guarded(const Engine& engine, std::size_t rows, std::size_t columns, bool strided,
          const std::vector<T>& elements, std::size_t count = 1)
      : rows_(rows),
        columns_(columns),
        count_(count),
        left_(strided ? 3 : 0),
        width_(columns + (strided ? 8 : 0)),
        step_(rows + (strided && count > 1 ? 1 : 0)),
        above_(width_ == 0 ? 0 : (64 + width_ - 1) / width_),
        host_((count * step_ + 2 * above_) * width_, poison<T>()),
        device_(engine, count * step_ + 2 * above_, width_) {
    for (std::size_t i = 0; i < count_ * rows_; i++) {
      const auto to = row(host_, i);
      for (std::size_t j = 0; j < columns_; j++) to[offset(j)] = elements[i * columns_ + j];
    }
    device_.upload(host_);
  }

  /// The first matrix.
  MatrixView<T> view() { return device_.block(above_, left_, count_ == 0 ? 0 : rows_, columns_); }
  /// Elements from one matrix to the next.
  std::size_t stride() const { return step_ * width_; }
  /// The elements of all matrices.
  std::vector<T> inside() {
    auto now = device_.to_host();
    std::vector<T> elements(count_ * rows_ * columns_);
    for (std::size_t i = 0; i < count_ * rows_; i++)
      std::copy_n(row(now, i), columns_, elements.begin() + offset(i * columns_));
    return elements;
  }

  /// Whether everything but the inside is unchanged, bit for bit.
  bool intact() {
    auto now = device_.to_host();
    for (std::size_t i = 0; i < count_ * rows_; i++)
      std::copy_n(row(host_, i), columns_, row(now, i));
    // An empty vector has no data, which memcmp does not take.
    return now.empty() || std::memcmp(now.data(), host_.data(), now.size() * sizeof(T)) == 0;
  }

 private:
  static std::ptrdiff_t offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

  /// Row i of all matrices' rows.
  auto row(std::vector<T>& elements, std::size_t i) const {
    const std::size_t below = i / rows_ * step_ + i % rows_;
    return elements.begin() + offset((above_ + below) * width_ + left_);
  }

  std::size_t rows_, columns_, count_, left_, width_, step_, above_;
  std::vector<T> host_;
  Matrix<T> device_;
};

}  // namespace tessera::inline v0::reference
