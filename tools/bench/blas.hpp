// BLAS: the host's BLAS libraries, loaded at run time if installed, as peers of multiply.
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <string>
#include <tessera/element_type.hpp>
#include <tuple>
#include <type_traits>
#include <vector>

namespace tessera::bench {

template <class T>
constexpr bool kIsComplex =
    std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

/// `count` products C = op(A) op(B) + beta C of row-major matrices, stored one after another from
/// these addresses on, of the host or of a device. Their rows are `padding` elements apart.
template <class T, class C = T>
struct RawProduct {
  std::size_t m, n, k, count;
  Op op_a, op_b;  ///< without a conjugate that is not transposed
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
  /// T: float, double, or complex numbers of them.
  template <class T>
  void multiply(const RawProduct<T>& product) const;

 private:
  /// alpha and beta: of complex products by address.
  template <class T>
  using Scalar = std::conditional_t<kIsComplex<T>, const T*, T>;
  template <class T>
  struct Functions {
    void (*gemm)(int, int, int, int, int, int, Scalar<T>, const T*, int, const T*, int, Scalar<T>,
                 T*, int);
    void (*gemm_batch)(int, int, int, int, int, int, Scalar<T>, const T*, int, int, const T*, int,
                       int, Scalar<T>, T*, int, int, int);

    /// `prefix`: the letter of the type in names of BLAS.
    Functions(void* library, const std::string& prefix);
  };

  std::string name_;
  std::tuple<Functions<float>, Functions<double>, Functions<std::complex<float>>,
             Functions<std::complex<double>>>
      functions_;
};

/// OpenBLAS, MKL and BLIS, if the loader finds them; LD_LIBRARY_PATH adds folders. Call it after
/// the engine is created: OpenMP binds the calling thread to a core.
const std::vector<Blas>& installed_blas();

}  // namespace tessera::bench
