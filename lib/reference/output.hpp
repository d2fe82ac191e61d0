// Output: a matrix for a kernel to write, with guard zones before and behind it, poisoned and
// scanned on the device.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/shape.hpp"
#include "tessera/matrix.hpp"

namespace tessera::inline v0::reference {

template <Element T>
class Output {
 public:
  /// `from_start`: no guard zone before it, for an operation that requires that.
  Output(const Engine& engine, std::size_t rows, std::size_t columns, bool from_start = false)
      : rows_(rows),
        columns_(columns),
        behind_(rows_of_zone(columns)),
        before_(from_start ? 0 : behind_),
        device_(engine, before_ + rows + behind_, columns) {}

  /// The matrix that an output of this shape allocates.
  static runtime::MatrixSize size(std::size_t rows, std::size_t columns, bool from_start = false) {
    return {rows + (from_start ? 1 : 2) * rows_of_zone(columns), columns, sizeof(T)};
  }

  MatrixView<T> view() { return device_.block(before_, 0, rows_, columns_); }

  /// Poisons everything: NaN if the type has one, since it propagates if it is read.
  void poison();
  /// Elements that are still poison. Any integer can be a result: about one in 2^32 equals it.
  std::size_t unwritten();

  std::vector<T> row(std::size_t index) {
    return device_.block(before_ + index, 0, 1, columns_).to_host();
  }
  std::vector<T> elements() { return view().to_host(); }
  /// Whether the guard zones are unchanged. Reads only them.
  bool guards_intact() { return intact(0, before_) && intact(before_ + rows_, behind_); }

 private:
  std::size_t count_unwritten();

  static constexpr std::size_t kGuard = 256;  // minimum elements of a zone
  static constexpr std::uint32_t kIntegerPoison = 0x5eed5eed;
  static constexpr T kPoison = [] {
    if constexpr (std::is_same_v<T, std::int32_t>) {
      return static_cast<T>(kIntegerPoison);
    } else {
      return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
    }
  }();

  static std::size_t rows_of_zone(std::size_t columns) {
    columns = std::max<std::size_t>(columns, 1);
    return (kGuard + columns - 1) / columns;
  }

  bool intact(std::size_t row, std::size_t rows) {
    const auto zone = device_.block(row, 0, rows, columns_).to_host();
    // Bit by bit, as a NaN is.  NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    const auto is_poison = [](const T& e) { return std::memcmp(&e, &kPoison, sizeof(T)) == 0; };
    return std::ranges::all_of(zone, is_poison);
  }

  std::size_t rows_, columns_, behind_, before_;  // rows of guards behind and before
  Matrix<T> device_;
};

constexpr const char* kOutsideWritten = "memory outside the output was written";

}  // namespace tessera::inline v0::reference
