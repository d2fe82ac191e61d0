// Output: a matrix that a kernel is to write, with guard zones before and behind it.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "multiply/guarded.hpp"
#include "tessera/matrix.hpp"

namespace tessera::inline v0::reference {

template <Element T>
class Output {
 public:
  /// `from_start`: nothing comes before it, for an operation that wants it so.
  Output(const Engine& engine, std::size_t rows, std::size_t columns, bool from_start = false)
      : rows_(rows),
        columns_(columns),
        behind_((kGuard + columns - 1) / columns),
        before_(from_start ? 0 : behind_),
        poison_((before_ + rows + behind_) * columns, multiplication::poison<T>()),
        device_(engine, before_ + rows + behind_, columns) {}

  MatrixView<T> view() { return device_.block(before_, 0, rows_, columns_); }

  /// Poison everywhere.
  void poison() { device_.upload(poison_); }

  /// The elements, and in `failure` whether others were written.
  std::vector<T> read(std::string& failure) {
    const auto all = device_.to_host();
    const std::size_t begin = before_ * columns_, end = begin + rows_ * columns_;
    const auto intact = [&](std::size_t from, std::size_t to) {
      return std::memcmp(all.data() + from, poison_.data(), (to - from) * sizeof(T)) == 0;
    };
    if (!intact(0, begin) || !intact(end, all.size()))
      failure = "memory outside the output was written";
    return {all.begin() + static_cast<std::ptrdiff_t>(begin),
            all.begin() + static_cast<std::ptrdiff_t>(end)};
  }

 private:
  static constexpr std::size_t kGuard = 256;  // elements of a zone, at the least

  std::size_t rows_, columns_, behind_, before_;  // rows of guards behind and before
  std::vector<T> poison_;
  Matrix<T> device_;
};

}  // namespace tessera::inline v0::reference
