// cuBLASLt: loaded at run time if installed, as a peer on NVIDIA's GPUs; LD_LIBRARY_PATH adds
// folders.
#pragma once

#include <functional>

#include "blas.hpp"
#include "cublas.hpp"

namespace tessera::bench {

/// A call of cuBLASLt that returns before the device has ended it, by the algorithm that its
/// heuristic puts first, which is asked here, once; types as of Cublas::multiply(). Empty where the
/// library is not there, or has no algorithm for the product. The call throws std::runtime_error
/// with the library's code if it fails.
template <class T, class C>
std::function<void()> cublas_lt_call(const Cublas& cublas, const RawProduct<T, C>& product);

}  // namespace tessera::bench
