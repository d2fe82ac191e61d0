// Guarded: matrices for checks, within larger ones that are poisoned.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "tessera/detail/operand.hpp"

namespace tessera::inline v0::reference {

/// A value that no product here has, and that propagates if it is read: NaN if the type has one.
double poison(ElementType type);

/// `count` numbers uniform in [-1, 1), rounded to the type; any values of an integer type.
std::vector<double> random_elements(ElementType type, std::size_t count, std::mt19937_64& random);

/// Uniform between `low` and `high`, rounded to the type; any values of an integer type.
std::vector<double> uniform_elements(ElementType type, std::size_t count, std::mt19937_64& random,
                                     double low = -2, double high = 2);

/// Matrices of one shape, one below the other within a larger one that is poisoned. Strided ones
/// have columns beside them, and a row between one and the next.
class Guarded {
 public:
  /// `elements` are row-major, matrix after matrix; of complex elements, both parts.
  Guarded(const Engine& engine, ElementType type, std::size_t rows, std::size_t columns,
          bool strided, const std::vector<double>& elements, std::size_t count = 1);

  /// The matrices.
  detail::Batch batch() const;
  /// The first matrix, as a block, viewed by `op`.
  detail::Operand operand(Op op = Op::none) const { return viewed(batch().first, op); }
  /// The elements of all matrices, as `elements` above.
  std::vector<double> inside() const;
  /// Returns whether everything except the inside is unchanged, bit for bit.
  bool intact() const;

 private:
  std::size_t width() const { return device_.stored_columns; }
  /// Index of the first element of row i of all matrices' rows.
  std::size_t start_of(std::size_t i) const;
  std::vector<std::byte> bytes() const;

  std::size_t rows_, columns_, count_, left_, step_, above_;
  detail::Operand device_;
  std::vector<std::byte> initial_;
};

}  // namespace tessera::inline v0::reference
