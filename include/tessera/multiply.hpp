// multiply: dense matrix products on a device.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <tessera/detail/operand.hpp>
#include <tessera/kernel.hpp>
#include <tessera/matrix.hpp>
#include <tessera/scalar.hpp>

namespace tessera::inline v0 {

namespace detail {

template <Element T>
struct ResultOf {
  using Type = T;
};
template <>
struct ResultOf<std::int8_t> {
  using Type = std::int32_t;
};

}  // namespace detail

/// The default element type of a product: the operands' type, or int32 for int8.
template <Element T>
using ProductElement = typename detail::ResultOf<T>::Type;

/// c = alpha * a * b + beta * c. C++ requires that designators, as in `{.alpha = 2, .kernel = k}`,
/// come in the order of the members.
struct MultiplyOptions {
  Scalar alpha = 1;          ///< at 0, a and b are not read
  Scalar beta = 0;           ///< at 0, c is not read: it may hold anything, NaN too
  KernelChoice kernel = {};  ///< empty: the best known for device, types and size
  Accuracy accuracy = Accuracy::ieee;
  std::vector<Event> wait_for = {};   ///< events to wait for before the product starts
  std::optional<Stream> stream = {};  ///< where it is enqueued; none: c's, or a's for a new matrix
};

/// A new matrix, the product of others, and the kernel run that computes it.
template <Element T>
struct Product : Matrix<T> {
  Product(Matrix<T> matrix, KernelRun run) : Matrix<T>(std::move(matrix)), ran(std::move(run)) {}
  KernelRun ran;
};

namespace detail {

/// A new matrix and the run that computes it.
struct OperandAndRun {
  Operand matrix;
  KernelRun ran;
};

TESSERA_API KernelRun multiply_into(const Operand& c, const Operand& a, const Operand& b,
                                    const MultiplyOptions& options);
TESSERA_API OperandAndRun multiply(ElementType result, const Operand& a, const Operand& b,
                                   const MultiplyOptions& options);

/// Products of matrices of T can be stored as elements of C.
template <class C, class T>
concept ResultFor = Element<C> && is_product(ProductTypes(kElementType<T>, kElementType<C>));

template <Element T>
Product<T> product_of(OperandAndRun made) {
  return {Access::make<Matrix<T>>(std::move(made.matrix)), std::move(made.ran)};
}

}  // namespace detail

/// Enqueues c = alpha * a * b + beta * c and returns; a is m x k, b is k x n and c is m x n. a and
/// b may be transposed and conjugated views. Any size, 0 included: with k = 0, c = beta * c. The
/// elements of c have the operands' type; operands of 16 bits may have a float c, int8 operands
/// have an int32 c.
///
///     multiply_into(c, a, b.transposed(), {.beta = 1});  // c += a * b^T
///
/// If c is one row or one column, c has the operands' element type, and no kernel is named,
/// `matrix_vector` computes the product, except for int8.
///
/// |error| of an element <= (k + 8) u |alpha| sum |a||b| + 4 u |beta||c| + (k + 2) max(1, |alpha|)
/// times the smallest normal number, with u the unit roundoff of the sum's type, plus the rounding
/// to the element type, provided that max(1, |alpha|) sum |a||b| + |beta||c| does not overflow. In
/// Accuracy::bounded, for float and double, the first term is |alpha| times the bound given there.
/// int32 and int8 are exact modulo 2^32. If the element type is the sum's, as for float and double,
/// there is no further rounding. A device without subnormal numbers
/// (DeviceCapabilities::has_float_denormals) may treat subnormal inputs as 0, which adds what they
/// contribute to the bound. alpha and beta are rounded to the sum's type first.
///
/// Of complex elements, each part has this bound with 2 k + 8 in place of k + 8 and of k + 2, the
/// absolute values of a, b, beta and c, and |Re alpha| + |Im alpha| in place of |alpha|. Infinities
/// and NaN are as in real arithmetic with the parts. A factor without an imaginary part scales each
/// part.
///
/// c may share memory with a or b if they have no element in common. Throws MatrixError for shapes
/// that do not match and for overlap. Throws ArgumentError for operands of different contexts, for
/// an unknown variant or parameter, and, if the elements are integers, for a fractional alpha or
/// beta. Real elements throw it for an alpha or beta with an imaginary part. Throws
/// UnsupportedError if the named kernel cannot compute the product, and BuildError if its
/// compilation fails. If it throws one of these, nothing has been enqueued and every matrix is
/// unchanged. OpenClError and MemoryError, of a driver that fails or lacks memory, can come after a
/// part of the commands: c's elements are then undefined.
template <WritableMatrix C, MatrixLike A, MatrixOf<ElementOf<A>> B>
requires(detail::ResultFor<ElementOf<C>, ElementOf<A>>) KernelRun
    multiply_into(C&& c, const A& a, const B& b, const MultiplyOptions& options = {}) {
  return detail::multiply_into(detail::operand(c), detail::operand(a), detail::operand(b), options);
}

/// alpha * a * b as a new matrix, on the stream that `options` names, else on a's, with elements of
/// the usual type or of another: `multiply<float>(a, b)` for operands of 16 bits.
/// `options.beta` must be 0. Throws as above.
template <Element C, MatrixLike A, MatrixOf<ElementOf<A>> B>
requires(detail::ResultFor<C, ElementOf<A>>) Product<C> multiply(
    const A& a, const B& b, const MultiplyOptions& options = {}) {
  return detail::product_of<C>(
      detail::multiply(kElementType<C>, detail::operand(a), detail::operand(b), options));
}
template <MatrixLike A, MatrixOf<ElementOf<A>> B>
Product<ProductElement<typename A::element_type>> multiply(const A& a, const B& b,
                                                           const MultiplyOptions& options = {}) {
  return multiply<ProductElement<typename A::element_type>>(a, b, options);
}

/// a * b as a new matrix on a's stream.
template <MatrixLike A, MatrixOf<ElementOf<A>> B>
Matrix<ProductElement<typename A::element_type>> operator*(const A& a, const B& b) {
  return multiply(a, b);
}

}  // namespace tessera::inline v0
