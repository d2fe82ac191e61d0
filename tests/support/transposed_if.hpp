// An operand that some tests transpose and others do not.
#pragma once

#include <tessera/multiply_batched.hpp>

namespace tessera::test {

template <MatrixLike M>
ConstMatrixView<typename M::element_type> transposed_if(bool is_transposed, const M& matrix) {
  const ConstMatrixView<typename M::element_type> view = matrix;
  return is_transposed ? view.transposed() : view;
}
template <BatchLike B>
ConstBatchView<typename B::element_type> transposed_if(bool is_transposed, const B& batch) {
  return is_transposed ? batch.transposed() : ConstBatchView<typename B::element_type>(batch);
}

}  // namespace tessera::test
