// add: scaled sums of matrices, element by element, and fills.
#pragma once

#include <concepts>
#include <optional>
#include <type_traits>
#include <vector>

#include <tessera/kernel.hpp>
#include <tessera/matrix.hpp>
#include <tessera/matrix_vector.hpp>
#include <tessera/scalar.hpp>

namespace tessera::inline v0 {

/// c = alpha * a + beta * b + constant, for each element.
struct AddOptions {
  Scalar alpha = 1;                   ///< at 0, a is not read
  Scalar beta = 1;                    ///< at 0, b is not read
  Scalar constant = 0;                ///< added to each element
  KernelChoice kernel = {};           ///< empty: the best known for device, type and size
  std::vector<Event> wait_for = {};   ///< events to wait for before the sum starts
  std::optional<Stream> stream = {};  ///< where it is enqueued; none: c's, or a's for a new matrix
};

namespace detail {

TESSERA_API KernelRun add_into(const Operand& c, const Operand& a, const Operand& b,
                               const AddOptions& options);
TESSERA_API Operand add(const Operand& a, const Operand& b, const AddOptions& options);

/// A factor of matrices of T, which is not cut to an integer.
template <class S, class T>
concept FactorOf = (std::is_arithmetic_v<S> && (!std::integral<T> || std::integral<S>)) ||
                   (std::same_as<S, T> && is_complex(kElementType<T>));

}  // namespace detail

/// Enqueues c = alpha * a + beta * b + constant, element by element, and returns. c is m x n; a and
/// b are m x n, or one row that counts for every row, one column for every column, or one element.
/// Any size, 0 included.
///
///     add_into(c, c, bias, {.beta = 2});  // c += 2 * bias, for each row of c if bias is one row
///
/// |error| of an element <= 4 u (|alpha a| + |beta b| + |constant|) + 3 times the smallest normal
/// number, with u the unit roundoff, plus the rounding to the element type, provided that no term
/// and no sum overflows; half is summed in float, int32 is exact modulo 2^32. The bound holds for
/// each part of a complex element, with 8 times the smallest normal number. Subnormal elements are
/// as in `multiply_into`. The same device gives the same bits. a or b may be c itself;
/// otherwise c shares no element with them. Throws like `multiply_into`, and then leaves the
/// matrices as it does.
template <class C, MatrixLike A, MatrixOf<typename A::element_type> B>
requires VectorElement<typename A::element_type> && detail::OutputFor<C, A> KernelRun
add_into(C&& c, const A& a, const B& b, const AddOptions& options = {}) {
  return detail::add_into(detail::operand(c), detail::operand(a), detail::operand(b), options);
}

/// alpha * a + beta * b + constant as a new matrix, which has as many rows and columns as the
/// larger of a and b, on the stream that `options` names, else on a's. Throws as above.
template <MatrixLike A, MatrixOf<typename A::element_type> B>
requires VectorElement<typename A::element_type> Matrix<typename A::element_type> add(
    const A& a, const B& b, const AddOptions& options = {}) {
  return detail::Access::make<Matrix<typename A::element_type>>(
      detail::add(detail::operand(a), detail::operand(b), options));
}

/// Enqueues c = value for each element, by add_into(), and returns.
template <WritableMatrix C>
KernelRun fill(C&& c, Scalar value, const CallOptions& options = {}) {
  return add_into(c, c, c,
                  {.alpha = 0,
                   .beta = 0,
                   .constant = value,
                   .kernel = options.kernel,
                   .wait_for = options.wait_for,
                   .stream = options.stream});
}

template <MatrixLike A, MatrixOf<typename A::element_type> B>
Matrix<typename A::element_type> operator+(const A& a, const B& b) {
  return add(a, b);
}
template <MatrixLike A, MatrixOf<typename A::element_type> B>
Matrix<typename A::element_type> operator-(const A& a, const B& b) {
  return add(a, b, {.beta = -1});
}
template <MatrixLike A, detail::FactorOf<typename A::element_type> S>
Matrix<typename A::element_type> operator*(const A& a, S factor) {
  return add(a, a, {.alpha = factor, .beta = 0});
}
template <MatrixLike A, detail::FactorOf<typename A::element_type> S>
Matrix<typename A::element_type> operator*(S factor, const A& a) {
  return a * factor;
}

}  // namespace tessera::inline v0
