// matrix_vector: products of a dense matrix and a vector on a device.
#pragma once

#include <concepts>
#include <type_traits>

#include <tessera/multiply.hpp>

namespace tessera::inline v0 {

/// The element types of products with a vector and of sums: all but int8.
template <class T>
concept VectorElement = Element<T> && std::same_as<T, ProductElement<T>>;

namespace detail {

TESSERA_API KernelRun matrix_vector_into(const Operand& y, const Operand& a, const Operand& x,
                                         const MultiplyOptions& options);
TESSERA_API OperandAndRun matrix_vector(const Operand& a, const Operand& x,
                                        const MultiplyOptions& options);

}  // namespace detail

/// Enqueues y = alpha * a * x + beta * y and returns. a is m x k; x, with k elements, and y, with
/// m, are a column or a row of any matrix. a and x may be conjugated views. Any size, 0 included:
/// with k = 0, y = beta * y. Accuracy::bounded computes as Accuracy::ieee does.
///
/// The error of an element is bounded as for `multiply_into`. The same device and layout give the
/// same bits. y may share memory with a or x if they have no element in common. Throws like
/// `multiply_into`, and then leaves the matrices as it does.
template <class Y, MatrixLike A, MatrixOf<typename A::element_type> X>
requires VectorElement<typename A::element_type> && detail::OutputFor<Y, A> KernelRun
matrix_vector_into(Y&& y, const A& a, const X& x, const MultiplyOptions& options = {}) {
  return detail::matrix_vector_into(detail::operand(y), detail::operand(a), detail::operand(x),
                                    options);
}

/// alpha * a * x as a new m x 1 matrix. `options.beta` must be 0. Throws as above.
template <MatrixLike A, MatrixOf<typename A::element_type> X>
requires VectorElement<typename A::element_type> Product<typename A::element_type> matrix_vector(
    const A& a, const X& x, const MultiplyOptions& options = {}) {
  return detail::product_of<typename A::element_type>(
      detail::matrix_vector(detail::operand(a), detail::operand(x), options));
}

}  // namespace tessera::inline v0
