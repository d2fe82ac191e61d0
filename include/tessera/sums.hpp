// sums: of the rows and of the columns of a matrix.
#pragma once

#include <tessera/add.hpp>
#include <tessera/matrix_vector.hpp>

namespace tessera::inline v0 {

/// Enqueues s = alpha * (the sums of a's rows) + beta * s, the product of a and a vector of ones,
/// and returns; a is m x n, s has m elements as one column or one row. `options.transpose` sums the
/// columns. Everything else, the error bound too, is as for `matrix_vector_into`.
template <MatrixLike A>
KernelRun row_sums_into(const MatrixView<typename A::element_type>& s, const A& a,
                        const MatrixVectorOptions<typename A::element_type>& options = {}) {
  using T = typename A::element_type;
  const ConstMatrixView<T> view = a;
  Matrix<T> ones(options.stream.value_or(s.stream()),
                 options.transpose ? view.rows() : view.columns(), 1);
  fill(ones, static_cast<T>(1));
  return matrix_vector_into(s, view, ones, options);
}

/// The same for columns: s has n elements.
template <MatrixLike A>
KernelRun column_sums_into(const MatrixView<typename A::element_type>& s, const A& a,
                           MatrixVectorOptions<typename A::element_type> options = {}) {
  options.transpose = !options.transpose;
  return row_sums_into(s, a, options);
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
  Matrix<typename A::element_type> s(a.stream(), a.columns(), 1);
  column_sums_into(s, a);
  return s;
}

}  // namespace tessera::inline v0
