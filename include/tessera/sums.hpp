// sums: of the rows and of the columns of a matrix.
#pragma once

#include <tessera/matrix_vector.hpp>

namespace tessera::inline v0 {

namespace detail {

/// A row_sums_into() of any operand.
TESSERA_API KernelRun row_sums_into(const Operand& s, const Operand& a,
                                    const MultiplyOptions& options);

}  // namespace detail

/// Enqueues s = alpha * (the sums of a's rows) + beta * s, the product of a and a vector of ones,
/// and returns; a is m x n, s has m elements as one column or one row. Everything else, the error
/// bound too, is as for `matrix_vector_into`. If one part of a complex element is infinite or NaN,
/// the other part of its sum is NaN.
template <class S, MatrixLike A>
requires VectorElement<typename A::element_type> && detail::OutputFor<S, A> KernelRun
row_sums_into(S&& s, const A& a, const MultiplyOptions& options = {}) {
  return detail::row_sums_into(detail::operand(s), detail::operand(a), options);
}

/// The same for columns: s has n elements.
template <class S, MatrixLike A>
requires VectorElement<typename A::element_type> && detail::OutputFor<S, A> KernelRun
column_sums_into(S&& s, const A& a, const MultiplyOptions& options = {}) {
  return row_sums_into(s, a.transposed(), options);
}

/// The sums as a new m x 1 matrix, on a's stream.
template <MatrixLike A>
Matrix<typename A::element_type> row_sums(const A& a) {
  Matrix<typename A::element_type> s(a.stream(), a.rows(), 1);
  row_sums_into(s, a);
  return s;
}

/// The sums as a new n x 1 matrix, on a's stream.
template <MatrixLike A>
Matrix<typename A::element_type> column_sums(const A& a) {
  return row_sums(a.transposed());
}

}  // namespace tessera::inline v0
