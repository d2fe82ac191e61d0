// Output: a matrix that a kernel is to write, with guard zones before and behind it.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "multiply/guarded.hpp"
#include "tessera/matrix.hpp"

namespace tessera::inline v0::tuning {

template <Element T>
class Output {
 public:
  Output(const Engine& engine, std::size_t rows, std::size_t columns)
      : rows_(rows),
        columns_(columns),
        guard_((kGuard + columns - 1) / columns),
        poison_((rows + 2 * guard_) * columns, multiplication::poison<T>()),
        device_(engine, rows + 2 * guard_, columns) {}

  MatrixView<T> view() { return device_.block(guard_, 0, rows_, columns_); }

  /// Poison everywhere.
  void poison() { device_.upload(poison_); }

  /// The elements, and in `failure` whether others were written.
  std::vector<T> read(std::string& failure) {
    const auto all = device_.to_host();
    const std::size_t zone = guard_ * columns_, inside = rows_ * columns_;
    const auto intact = [&](std::size_t from) {
      return std::memcmp(all.data() + from, poison_.data(), zone * sizeof(T)) == 0;
    };
    if (!intact(0) || !intact(zone + inside)) failure = "memory outside the output was written";
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(zone);
    return {first, first + static_cast<std::ptrdiff_t>(inside)};
  }

 private:
  static constexpr std::size_t kGuard = 256;  // elements on each side, at the least

  std::size_t rows_, columns_, guard_;
  std::vector<T> poison_;
  Matrix<T> device_;
};

}  // namespace tessera::inline v0::tuning
