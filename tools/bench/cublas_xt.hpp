// cuBLASXt: loaded at run time if installed; products from pinned host memory on several GPUs.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera::bench {

template <class T>
class CublasXt {
 public:
  virtual ~CublasXt() = default;
  /// c = a * b of n x n matrices on the first `devices` GPUs, in tiles of that edge; waits.
  virtual void multiply(int devices, int tile) = 0;
};

/// With copies of a and b in memory that CUDA has pinned; null where the loader does not find it.
template <class T>
std::unique_ptr<CublasXt<T>> make_cublas_xt(std::size_t n, const std::vector<T>& a,
                                            const std::vector<T>& b);

}  // namespace tessera::bench
