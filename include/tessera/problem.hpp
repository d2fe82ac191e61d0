// Problem: one call of an operation, as seen by the code that chooses, tunes, checks and records
// kernels.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tessera/element_type.hpp>
#include <tessera/export.hpp>
#include <tessera/scalar.hpp>

namespace tessera::inline v0 {

/// The error bound of a result, and its treatment of infinities and NaN.
enum class Accuracy {
  ieee,     ///< infinities and NaN behave as in float arithmetic
  bounded,  ///< any hardware path for finite input; for alpha 1 and beta 0 (see
            ///< multiply_into for the other terms) |error| <= (k + 8) 2^-22 sum |a||b| +
            ///< k 2^-38 max|row of a| max|column of b| in float. In double it is
            ///< <= (k + 8) 2^-53 sum |a||b| + sqrt(k) 2^-53 norm(row of a) norm(column of b)
            ///< with Euclidean norms. Each part of a complex element has the bound of its
            ///< type with 2 k for k, and norms of the parts. Non-finite values stay non-finite.
};

/// "ieee" or "bounded".
TESSERA_API std::string_view to_string(Accuracy accuracy);

/// The arithmetic in which the eigenpair's rounds are summed.
enum class Accumulator {
  automatic,    ///< double, or two floats where the device has no double
  two_floats,   ///< for float matrices only
  float64,      ///< double
  compensated,  ///< double, with the rounding errors of its sums
};

/// "automatic", "two_floats", "float64" or "compensated".
TESSERA_API std::string_view to_string(Accumulator accumulator);

/// A caller's requirements of a kernel, in addition to the shape. It is never tuned: a kernel that
/// was found for one mode is not used in another.
struct Mode {
  Accuracy accuracy = Accuracy::ieee;
  Accumulator accumulator = Accumulator::automatic;
  bool validate = false;  ///< the kernel also checks for elements that a solve rejects

  friend bool operator==(const Mode&, const Mode&) = default;
  friend auto operator<=>(const Mode&, const Mode&) = default;
};

/// A number of elements per operand. As strides between rows, or between the products of a batch,
/// 0 means dense.
struct Strides {
  std::size_t a = 0, b = 0, c = 0;

  friend bool operator==(const Strides&, const Strides&) = default;
  friend auto operator<=>(const Strides&, const Strides&) = default;
};

/// A call of an operation. Which dimensions count depends on the operation: see
/// OperationInfo::dimensions.
struct Problem {
  std::string operation = "multiply";
  /// Operations other than products have one type for all.
  ProductTypes types = {};
  /// multiply: a is m x k, b is k x n, c is m x n. matrix_vector: a is m x k. Eigenpair
  /// operations: the matrix is m x n, even for those that take vectors only.
  std::size_t m = 1, n = 1, k = 1;
  std::size_t batch = 1;  ///< products in one call
  Op op_a = Op::none, op_b = Op::none;
  Strides leading_dimensions = {}, batch_strides = {};
  Strides offsets = {};  ///< from a multiple of 16 bytes of the memory to the first element
  Scalar alpha = 1, beta = 0;
  Mode mode = {};

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// Arithmetic operations that a problem needs, and the minimum number of bytes that it has to read
/// and write.
struct Work {
  double flops = 0, bytes = 0;
};

/// Throws ArgumentError for an operation that does not exist.
TESSERA_API Work work_of(const Problem& problem);

/// "multiply float 1024 x 768 x 512, a transposed".
TESSERA_API std::string describe(const Problem& problem);

/// {"op", "dtype", "m", "n", "k"} and what is not the default, and back: what is missing of the
/// latter gets its default. Throws Error for any other text.
TESSERA_API std::string to_json(const Problem& problem);
TESSERA_API Problem problem_from_json(std::string_view json);

}  // namespace tessera::inline v0
