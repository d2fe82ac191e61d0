// Output: a matrix for a kernel to write, with guard zones before and behind it, poisoned and
// scanned on the device.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/shape.hpp"
#include "tessera/detail/operand.hpp"

namespace tessera::inline v0::reference {

class Output {
 public:
  /// `from_start`: no guard zone before it, for an operation that requires that.
  Output(const Engine& engine, ElementType type, std::size_t rows, std::size_t columns,
         bool from_start = false);

  /// The matrix that an output of this shape allocates.
  static runtime::MatrixSize size(ElementType type, std::size_t rows, std::size_t columns,
                                  bool from_start = false);

  detail::Operand operand() const { return rows_from(before_, rows_); }

  /// Poisons everything, with NaN if the type has one, because a NaN that is read propagates.
  void poison();
  /// Elements that are still poison. Any integer can be a result: about one in 2^32 equals it.
  std::size_t unwritten() const;

  /// Elements; complex ones as their parts.
  std::vector<double> row(std::size_t index) const;
  std::vector<double> elements() const;
  /// Returns whether the guard zones are unchanged. Reads only the zones.
  bool guards_intact() const;

 private:
  detail::Operand rows_from(std::size_t row, std::size_t rows) const;
  std::size_t count_unwritten() const;
  bool intact(std::size_t row, std::size_t rows) const;

  std::size_t rows_, behind_, before_;  // rows of guards behind and before
  detail::Operand device_;
};

constexpr const char* kOutsideWritten = "memory outside the output was written";

}  // namespace tessera::inline v0::reference
