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

  /// The transposes, the conjugate transposes and the conjugates, without a copy.
  ConstBatchView transposed() const { return {first.transposed(), count, stride}; }
  ConstBatchView adjoint() const { return {first.adjoint(), count, stride}; }
  ConstBatchView conjugated() const { return {first.conjugated(), count, stride}; }
};
template <Element T>
struct BatchView {
  using element_type = T;

  MatrixView<T> first;
  std::size_t count = 1;
  std::size_t stride = 0;

  operator ConstBatchView<T>() const { return {first, count, stride}; }
  ConstBatchView<T> transposed() const { return {first.transposed(), count, stride}; }
  ConstBatchView<T> adjoint() const { return {first.adjoint(), count, stride}; }
  ConstBatchView<T> conjugated() const { return {first.conjugated(), count, stride}; }
};

/// Anything that can be read as a batch of its element type: BatchView, ConstBatchView.
template <class B>
concept BatchLike = Element<typename B::element_type> &&
    std::convertible_to<const B&, ConstBatchView<typename B::element_type>>;

template <class B, class T>
concept BatchOf = BatchLike<B> && std::same_as<typename B::element_type, T>;

namespace detail {

TESSERA_API KernelRun multiply_batched_into(const Batch& c, const Batch& a, const Batch& b,
                                            const MultiplyOptions& options);
TESSERA_API OperandAndRun multiply_batched(ElementType result, const Batch& a, const Batch& b,
                                           const MultiplyOptions& options);

/// The batch without its C++ element type.
template <class B>
Batch batch(const B& of) {
  return {operand(of.first), of.count, of.stride};
}

}  // namespace detail

/// Splits the rows of a matrix into `count` equal blocks: 12 x 5 into 3 gives three 4 x 5. Throws
/// MatrixError if `count` does not divide the rows, and for a transposed view; count 0 requires 0
/// rows.
template <Element T>
ConstBatchView<T> batch_of(const ConstMatrixView<T>& stacked, std::size_t count) {
  const detail::Batch blocks = detail::batch_of(detail::operand(stacked), count);
  return {detail::Access::make<ConstMatrixView<T>>(blocks.first), blocks.count, blocks.stride};
}
template <Element T>
BatchView<T> batch_of(const MatrixView<T>& stacked, std::size_t count) {
  const detail::Batch blocks = detail::batch_of(detail::operand(stacked), count);
  return {detail::Access::make<MatrixView<T>>(blocks.first), blocks.count, blocks.stride};
}
template <Element T>
BatchView<T> batch_of(Matrix<T>& stacked, std::size_t count) {
  return batch_of<T>(stacked.view(), count);
}
template <Element T>
ConstBatchView<T> batch_of(const Matrix<T>& stacked, std::size_t count) {
  return batch_of<T>(stacked.view(), count);
}

/// The same matrix in every product of a batch.
template <MatrixLike M>
ConstBatchView<typename M::element_type> repeated(const M& matrix, std::size_t count) {
  return {matrix, count, 0};
}

/// Enqueues c_i = alpha * a_i * b_i + beta * c_i for all i, in one call on c's stream. The counts
/// must be equal, and may be 0; otherwise the same as `multiply_into`. Also throws MatrixError if a
/// matrix is not inside its memory, or if two matrices c_i have an element in common. A batch of c
/// may share memory with a and b only outside the range from c's first to its last element, or, if
/// c's matrices are stacked, in other columns.
template <Element C, BatchLike A, BatchOf<typename A::element_type> B>
requires detail::ResultFor<C, typename A::element_type> KernelRun multiply_batched_into(
    const BatchView<C>& c, const A& a, const B& b, const MultiplyOptions& options = {}) {
  return detail::multiply_batched_into(detail::batch(c), detail::batch(a), detail::batch(b),
                                       options);
}

///     multiply_batched(batch_of(a, 3), repeated(b, 3))
///
/// alpha * a_i * b_i as the vertically stacked blocks of a new matrix, with elements of the usual
/// type or of another: `multiply_batched<float>(a, b)`. `options.beta` must be 0.
template <Element C, BatchLike A, BatchOf<typename A::element_type> B>
requires detail::ResultFor<C, typename A::element_type> Product<C> multiply_batched(
    const A& a, const B& b, const MultiplyOptions& options = {}) {
  return detail::product_of<C>(
      detail::multiply_batched(kElementType<C>, detail::batch(a), detail::batch(b), options));
}
template <BatchLike A, BatchOf<typename A::element_type> B>
Product<ProductElement<typename A::element_type>> multiply_batched(
    const A& a, const B& b, const MultiplyOptions& options = {}) {
  return multiply_batched<ProductElement<typename A::element_type>>(a, b, options);
}

}  // namespace tessera::inline v0
