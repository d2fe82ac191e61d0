// multiply: dense matrix products on a device.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <tessera/kernel.hpp>
#include <tessera/matrix.hpp>

namespace tessera::inline v0 {

namespace detail {

// Members of a class, since compilers differ in how expressions enter the names of symbols.
template <Element T>
struct ProductTypes {
  using Result = T;
  using Scalar = T;
};
template <>
struct ProductTypes<half> {
  using Result = half;
  using Scalar = float;
};
template <>
struct ProductTypes<std::int8_t> {
  using Result = std::int32_t;
  using Scalar = std::int32_t;
};

}  // namespace detail

/// The type of the elements of c: that of a's and b's, int32 for int8.
template <Element T>
using ProductElement = typename detail::ProductTypes<T>::Result;

/// The type of alpha and beta: that of the elements of c, float for half.
template <Element T>
using Scalar = typename detail::ProductTypes<T>::Scalar;

/// c = alpha * op(a) * op(b) + beta * c, where op(x) is x or its transpose. C++ requires that
/// designators, as in `{.alpha = 2, .transpose_b = true}`, come in the order of the members.
template <Element T>
struct MultiplyOptions {
  Scalar<T> alpha = 1;  ///< at 0, a and b are not read
  Scalar<T> beta = 0;   ///< at 0, c is not read: it may hold anything, NaN too
  bool transpose_a = false;
  bool transpose_b = false;
  KernelChoice kernel = {};  ///< empty: the best known for device, type and size
  Accuracy accuracy = Accuracy::ieee;
  std::vector<Event> wait_for = {};   ///< events to wait for before the product starts
  std::optional<Stream> stream = {};  ///< where it is enqueued; none: c's, or a's for a new matrix
};

/// A new matrix, the product of operands with elements of type T, and the kernel run that computes
/// it.
template <Element T>
struct Product : Matrix<ProductElement<T>> {
  Product(Matrix<ProductElement<T>> matrix, KernelRun run)
      : Matrix<ProductElement<T>>(std::move(matrix)), ran(std::move(run)) {}
  KernelRun ran;
};

namespace detail {

template <class T>
TESSERA_API KernelRun multiply_into(const MatrixView<ProductElement<T>>& c,
                                    const ConstMatrixView<T>& a, const ConstMatrixView<T>& b,
                                    const MultiplyOptions<T>& options);
template <class T>
TESSERA_API Product<T> multiply(const ConstMatrixView<T>& a, const ConstMatrixView<T>& b,
                                const MultiplyOptions<T>& options);

}  // namespace detail

/// Enqueues c = alpha * op(a) * op(b) + beta * c and returns; a is m x k and b is k x
/// n after op, c is m x n. Any size, 0 included: with k = 0, c = beta * c. If a and b
/// are int8, then c, alpha and beta are int32.
///
/// If c is one row or one column and no kernel is named, `matrix_vector` computes it, but for int8.
///
/// |error| of an element <= (k + 8) u |alpha| sum |a||b| + 4 u |beta||c| + (k + 2) max(1, |alpha|)
/// times the smallest normal number, with u the unit roundoff of the sum's type, plus the rounding
/// to the element type, provided that max(1, |alpha|) sum |a||b| + |beta||c| does not overflow; in
/// Accuracy::bounded, for float and double, the first term is |alpha| times the bound given there;
/// int32 and int8 are exact modulo 2^32. A device without subnormal numbers
/// (DeviceCapabilities::has_float_denormals) may treat subnormal inputs as 0, which adds what they
/// contribute to the bound.
///
/// c is a MatrixView, const or not, or a Matrix that is not const. It may share memory with a or b
/// if they have no element in common. Throws MatrixError for shapes
/// that do not match and for overlap, ArgumentError for operands of different contexts and for an
/// unknown variant or parameter, UnsupportedError if the named kernel cannot do it, and
/// BuildError; in all these cases nothing has been enqueued and every matrix is unchanged.
template <MatrixLike A, MatrixOf<typename A::element_type> B>
KernelRun multiply_into(const MatrixView<ProductElement<typename A::element_type>>& c, const A& a,
                        const B& b, const MultiplyOptions<typename A::element_type>& options = {}) {
  return detail::multiply_into<typename A::element_type>(c, a, b, options);
}

/// op(a) * op(b) * alpha as a new matrix, on the stream that `options` names, else on a's.
/// `options.beta` must be 0. Throws as above.
template <MatrixLike A, MatrixOf<typename A::element_type> B>
Product<typename A::element_type> multiply(
    const A& a, const B& b, const MultiplyOptions<typename A::element_type>& options = {}) {
  return detail::multiply<typename A::element_type>(a, b, options);
}

/// a * b as a new matrix on a's stream.
template <MatrixLike A, MatrixOf<typename A::element_type> B>
Matrix<ProductElement<typename A::element_type>> operator*(const A& a, const B& b) {
  return multiply(a, b);
}

/// Builds the kernels that `multiply` with these options uses on this engine for square products,
/// small to large, and, but for int8, for products with a vector, checks those that are new on this
/// machine ($TESSERA_SELF_CHECK), and runs them on 2 x 2 matrices, so that the first real call
/// finds them ready; other shapes may need others. Returns the run of a 2 x 2 product. Waits.
template <class T>
TESSERA_API KernelRun prepare_multiply(const Engine& engine,
                                       const MultiplyOptions<T>& options = {});

}  // namespace tessera::inline v0
