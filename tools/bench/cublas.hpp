// cuBLAS: loaded at run time if installed, as a peer on NVIDIA's GPUs; LD_LIBRARY_PATH adds
// folders.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "blas.hpp"

namespace tessera::bench {

/// Memory of CUDA's first device.
using CudaMemory = std::shared_ptr<void>;

/// Calls return before the device has ended them. Each throws std::runtime_error with CUDA's code
/// if it fails.
class Cublas {
 public:
  /// Throws std::runtime_error if a library lacks a required function.
  Cublas(void* runtime, void* library);

  CudaMemory allocate(std::size_t bytes) const;
  void write(const CudaMemory& to, const void* from, std::size_t bytes) const;
  template <class T>
  CudaMemory upload(const std::vector<T>& elements) const {
    CudaMemory memory = allocate(elements.size() * sizeof(T));
    write(memory, elements.data(), elements.size() * sizeof(T));
    return memory;
  }

  /// At cuBLAS's default precision: no TF32, half in sums of float. T: float, double, complex
  /// numbers of them, half or int8.
  template <class T, class C>
  void multiply(const RawProduct<T, C>& product) const;
  /// y = A x of an n x n matrix of floats.
  void multiply(const CudaMemory& a, const CudaMemory& x, const CudaMemory& y, std::size_t n) const;
  void finish() const;

 private:
  using Gemm = int(void*, int, int, int, int, int, const void*, const void*, int, int, const void*,
                   int, int, const void*, void*, int, int, int, int);
  using GemmBatch = int(void*, int, int, int, int, int, const void*, const void*, int, int,
                        long long, const void*, int, int, long long, const void*, void*, int, int,
                        long long, int, int, int);
  using Gemv = int(void*, int, int, int, const float*, const float*, int, const float*, int,
                   const float*, float*, int);

  int (*allocate_)(void**, std::size_t);
  int (*free_)(void*);
  int (*copy_)(void*, const void*, std::size_t, int);
  int (*synchronize_)();
  Gemm* gemm_;
  GemmBatch* gemm_batch_;
  Gemv* gemv_;
  void* handle_ = nullptr;
};

/// Null where the loader does not find it.
const Cublas* installed_cublas();

}  // namespace tessera::bench
