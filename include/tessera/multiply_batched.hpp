// multiply_batched: many products of one shape in one call.
#pragma once

#include <cstddef>

#include <tessera/multiply.hpp>

namespace tessera::inline v0 {

/// `count` matrices of one shape in one memory: `first`, and each of the others `stride` elements
/// behind the one before.
template <Element T>
struct ConstBatchView {
  ConstMatrixView<T> first;
  std::size_t count = 1;
  std::size_t stride = 0;
};
template <Element T>
struct BatchView {
  MatrixView<T> first;
  std::size_t count = 1;
  std::size_t stride = 0;

  operator ConstBatchView<T>() const { return {first, count, stride}; }
};

/// The rows of a matrix in `count` blocks, one below the other: 12 x 5 in 3 is three 4 x 5. Throws
/// MatrixError where the rows cannot be shared out so; count 0 goes with 0 rows.
template <Element T>
TESSERA_API ConstBatchView<T> batch_of(const ConstMatrixView<T>& stacked, std::size_t count);
template <Element T>
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

/// Enqueues c_i = alpha * op(a_i) * op(b_i) + beta * c_i for all i, in one call on c's stream. The
/// counts are the same, and may be 0; all else is as `multiply_into` says.
template <Element T>
TESSERA_API KernelRun multiply_batched_into(const BatchView<T>& c, const ConstBatchView<T>& a,
                                            const ConstBatchView<T>& b,
                                            const MultiplyOptions<T>& options = {});

/// op(a_i) * op(b_i) * alpha as the blocks of a new matrix, one below the other. `options.beta`
/// must be 0.
template <Element T>
TESSERA_API Product<T> multiply_batched(const ConstBatchView<T>& a, const ConstBatchView<T>& b,
                                        const MultiplyOptions<T>& options = {});

}  // namespace tessera::inline v0
