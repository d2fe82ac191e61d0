// BLAS: the host's BLAS libraries, loaded at run time if installed, as peers of multiply.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::bench {

/// `count` products C = op(A) op(B) + beta C of row-major matrices, stored one after another from
/// these addresses on, of the host or of a device. Their rows are `padding` elements apart.
template <class T, class C = T>
struct RawProduct {
  std::size_t m, n, k, count;
  bool transpose_a, transpose_b;
  std::size_t padding;
  double beta;
  const T *a, *b;
  C* c;
};

/// One such library, on as many threads as the machine has.
class Blas {
 public:
  /// Throws std::runtime_error if the library lacks a required function.
  Blas(void* library, std::string name);

  /// Includes the core type that the library detected, if it reports one.
  const std::string& name() const { return name_; }
  /// A batch goes to the library's strided batch call, if it has one.
  void multiply(const RawProduct<float>& product) const;
  void multiply(const RawProduct<double>& product) const;

 private:
  template <class T>
  using Gemm = void(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int);
  template <class T>
  using GemmBatch = void(int, int, int, int, int, int, T, const T*, int, int, const T*, int, int, T,
                         T*, int, int, int);
  template <class T>
  static void multiply(const RawProduct<T>& product, Gemm<T>* gemm, GemmBatch<T>* batch);

  std::string name_;
  Gemm<float>* sgemm_;
  Gemm<double>* dgemm_;
  GemmBatch<float>* sgemm_batch_;
  GemmBatch<double>* dgemm_batch_;
};

/// OpenBLAS, MKL and BLIS, if the loader finds them; LD_LIBRARY_PATH adds folders. Call it after
/// the engine is created: OpenMP binds the calling thread to a core.
const std::vector<Blas>& installed_blas();

}  // namespace tessera::bench
