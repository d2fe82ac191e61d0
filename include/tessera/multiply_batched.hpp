// multiply_batched: many products of one shape in one call.
#pragma once

#include <concepts>
#include <cstddef>

#include <tessera/multiply.hpp>

namespace tessera::inline v0 {

/// `count` matrices of one shape in one buffer: `first`, and each further one `stride` elements
/// after the previous one.
template <Element T>
struct ConstBatchView {
  using element_type = T;

  ConstMatrixView<T> first;
  std::size_t count = 1;
  std::size_t stride = 0;
};
template <Element T>
struct BatchView {
  using element_type = T;

  MatrixView<T> first;
  std::size_t count = 1;
  std::size_t stride = 0;

  operator ConstBatchView<T>() const { return {first, count, stride}; }
};

/// Anything that can be read as a batch of its element type: BatchView, ConstBatchView.
template <class B>
concept BatchLike = Element<typename B::element_type> &&
    std::convertible_to<const B&, ConstBatchView<typename B::element_type>>;

template <class B, class T>
concept BatchOf = BatchLike<B> && std::same_as<typename B::element_type, T>;

/// Splits the rows of a matrix into `count` equal blocks: 12 x 5 into 3 gives three 4 x 5. Throws
/// MatrixError if `count` does not divide the rows; count 0 requires 0 rows.
template <class T>
TESSERA_API ConstBatchView<T> batch_of(const ConstMatrixView<T>& stacked, std::size_t count);
template <class T>
TESSERA_API BatchView<T> batch_of(const MatrixView<T>& stacked, std::size_t count);
template <Element T>
BatchView<T> batch_of(Matrix<T>& stacked, std::size_t count) {
  return batch_of<T>(stacked.view(), count);
}
template <Element T>
ConstBatchView<T> batch_of(const Matrix<T>& stacked, std::size_t count) {
  return batch_of<T>(stacked.view(), count);
}

/// The same matrix in every product of a batch.
template <Element T>
ConstBatchView<T> repeated(const ConstMatrixView<T>& matrix, std::size_t count) {
  return {matrix, count, 0};
}
template <MatrixLike M>
ConstBatchView<typename M::element_type> repeated(const M& matrix, std::size_t count) {
  return {matrix, count, 0};
}

/// Enqueues c_i = alpha * op(a_i) * op(b_i) + beta * c_i for all i, in one call on c's stream. The
/// counts must be equal, and may be 0; otherwise the same as `multiply_into`. Also throws
/// MatrixError if a matrix is not inside its memory, or if those of c have elements in common. A
/// batch of c may share memory with a and b only where they lie before its first element or behind
/// its last, or, if it is dense in rows, beside them.
template <class T>
TESSERA_API KernelRun multiply_batched_into(const BatchView<ProductElement<T>>& c,
                                            const ConstBatchView<T>& a, const ConstBatchView<T>& b,
                                            const MultiplyOptions<T>& options = {});
template <BatchLike A, BatchOf<typename A::element_type> B>
KernelRun multiply_batched_into(const BatchView<ProductElement<typename A::element_type>>& c,
                                const A& a, const B& b,
                                const MultiplyOptions<typename A::element_type>& options = {}) {
  return multiply_batched_into<typename A::element_type>(c, a, b, options);
}

///     multiply_batched(batch_of(a, 3), repeated(b, 3))
///
/// op(a_i) * op(b_i) * alpha as the vertically stacked blocks of a new matrix. `options.beta` must
/// be 0.
template <class T>
TESSERA_API Product<T> multiply_batched(const ConstBatchView<T>& a, const ConstBatchView<T>& b,
                                        const MultiplyOptions<T>& options = {});
template <BatchLike A, BatchOf<typename A::element_type> B>
Product<typename A::element_type> multiply_batched(
    const A& a, const B& b, const MultiplyOptions<typename A::element_type>& options = {}) {
  return multiply_batched<typename A::element_type>(a, b, options);
}

}  // namespace tessera::inline v0
