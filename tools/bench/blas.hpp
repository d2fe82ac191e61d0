// BLAS: libraries of the host, loaded at run time where they are installed, as peers of multiply.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::bench {

/// `count` products C = op(A) op(B) of matrices by rows, one after the other without a gap.
template <class T>
struct HostProduct {
  std::size_t m, n, k, count;
  bool transpose_a, transpose_b;
  const T *a, *b;
  T* c;
};

/// One of the libraries, on as many threads as the machine has.
class Blas {
 public:
  /// Throws std::runtime_error where the library lacks a function.
  Blas(void* library, std::string name);

  /// With the core that it took this machine for, where it tells.
  const std::string& name() const { return name_; }
  /// Many products by the library's own call for that, where it has one.
  void multiply(const HostProduct<float>& product) const;
  void multiply(const HostProduct<double>& product) const;

 private:
  template <class T>
  using Gemm = void(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int);
  template <class T>
  using GemmBatch = void(int, int, int, int, int, int, T, const T*, int, int, const T*, int, int, T,
                         T*, int, int, int);
  template <class T>
  static void multiply(const HostProduct<T>& product, Gemm<T>* gemm, GemmBatch<T>* batch);

  std::string name_;
  Gemm<float>* sgemm_;
  Gemm<double>* dgemm_;
  GemmBatch<float>* sgemm_batch_;
  GemmBatch<double>* dgemm_batch_;
};

/// OpenBLAS, MKL and BLIS, as far as the loader finds them: LD_LIBRARY_PATH says where else. To be
/// called after the engine was made: OpenMP binds the calling thread.
const std::vector<Blas>& installed_blas();

}  // namespace tessera::bench
