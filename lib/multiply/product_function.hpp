// Both operations as functions of a batch of products, so that checks and tuning can share code.
#pragma once

#include <concepts>
#include <string>

#include "tessera/error.hpp"
#include "tessera/matrix_vector.hpp"
#include "tessera/multiply_batched.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::multiplication {

template <Element T>
using ProductFunction = KernelRun (*)(const BatchView<ProductElement<T>>& c,
                                      const ConstBatchView<T>& a, const ConstBatchView<T>& b,
                                      const MultiplyOptions<T>& options);

/// For a single product in which b and c have one column.
template <Element T>
KernelRun matrix_vector_of(const BatchView<T>& c, const ConstBatchView<T>& a,
                           const ConstBatchView<T>& b, const MultiplyOptions<T>& options) {
  return matrix_vector_into(c.first, a.first, b.first,
                            {.alpha = options.alpha,
                             .beta = options.beta,
                             .transpose = options.transpose_a,
                             .kernel = options.kernel});
}

/// For a problem of type T. Throws UnsupportedError for one that matrix_vector does not have.
template <Element T>
ProductFunction<T> matrix_vector_function(const Problem& problem) {
  if constexpr (std::same_as<T, ProductElement<T>>) {
    return matrix_vector_of<T>;
  } else {
    throw UnsupportedError(problem.operation, "it is not for " + std::string(name(problem.type)));
  }
}

}  // namespace tessera::inline v0::multiplication
