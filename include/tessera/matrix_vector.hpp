// matrix_vector: products of a dense matrix and a vector on a device.
#pragma once

#include <concepts>
#include <optional>
#include <vector>

#include <tessera/multiply.hpp>

namespace tessera::inline v0 {

/// The element types of products with a vector: all but int8.
template <class T>
concept VectorElement = Element<T> && std::same_as<T, ProductElement<T>>;

/// y = alpha * op(a) * x + beta * y, where op(a) is a or its transpose.
template <VectorElement T>
struct MatrixVectorOptions {
  Scalar<T> alpha = 1;  ///< at 0, a and x are not read
  Scalar<T> beta = 0;   ///< at 0, y is not read: it may hold anything, NaN too
  bool transpose = false;
  KernelChoice kernel = {};           ///< empty: the best known for device, type and size
  std::vector<Event> wait_for = {};   ///< events to wait for before the product starts
  std::optional<Stream> stream = {};  ///< where it is enqueued; none: y's, or a's for a new vector
};

namespace detail {

template <class T>
TESSERA_API KernelRun matrix_vector_into(const MatrixView<T>& y, const ConstMatrixView<T>& a,
                                         const ConstMatrixView<T>& x,
                                         const MatrixVectorOptions<T>& options);
template <class T>
TESSERA_API Product<T> matrix_vector(const ConstMatrixView<T>& a, const ConstMatrixView<T>& x,
                                     const MatrixVectorOptions<T>& options);

}  // namespace detail

/// Enqueues y = alpha * op(a) * x + beta * y and returns; op(a) is m x k, x has k elements and y
/// has m, each as one column or one row of any matrix. Any size, 0 included: with k = 0, y = beta *
/// y.
///
/// The error of an element is bounded as for `multiply_into`; the same device and layout give
/// the same bits. y may share memory with a or x if they have no element in common. Throws like
/// `multiply_into`; in that case nothing has been enqueued and every matrix is unchanged.
template <MatrixLike A, MatrixOf<typename A::element_type> X>
KernelRun matrix_vector_into(const MatrixView<typename A::element_type>& y, const A& a, const X& x,
                             const MatrixVectorOptions<typename A::element_type>& options = {}) {
  return detail::matrix_vector_into<typename A::element_type>(y, a, x, options);
}

/// alpha * op(a) * x as a new m x 1 matrix. `options.beta` must be 0. Throws as above.
template <MatrixLike A, MatrixOf<typename A::element_type> X>
Product<typename A::element_type> matrix_vector(
    const A& a, const X& x, const MatrixVectorOptions<typename A::element_type>& options = {}) {
  return detail::matrix_vector<typename A::element_type>(a, x, options);
}

}  // namespace tessera::inline v0
