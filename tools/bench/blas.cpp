#include "blas.hpp"

#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <thread>
#include <utility>

#include "libraries.hpp"

namespace tessera::bench {
namespace {

/// Variables that the libraries read when they are loaded; those the caller has set are kept.
void set_environment() {
  const std::string threads = std::to_string(std::thread::hardware_concurrency());
  const auto set = [](const char* name, const char* value) { ::setenv(name, value, 0); };
  set("OPENBLAS_NUM_THREADS", threads.c_str());
  set("MKL_NUM_THREADS", threads.c_str());
  set("BLIS_NUM_THREADS", threads.c_str());
  set("MKL_THREADING_LAYER", "GNU");
  set("OMP_PROC_BIND", "true");
  // By default its threads spin for 100 ms, and would disturb the next library's turn.
  set("OPENBLAS_THREAD_TIMEOUT", "20");
  // OpenBLAS 0.3.21 mistakes the processors of some virtual machines for much older ones.
  if (__builtin_cpu_supports("avx512f") != 0) set("OPENBLAS_CORETYPE", "SkylakeX");
}

/// CBLAS_TRANSPOSE.
int code_of(Op op) { return op == Op::none ? 111 : op == Op::transpose ? 112 : 113; }

}  // namespace

template <class T>
Blas::Functions<T>::Functions(void* library, const std::string& prefix) {
  const auto find = [library]<class F>(const std::string& name, F*& found) {
    found = optional_function<F>(library, name);
  };
  find("cblas_" + prefix + "gemm", gemm);
  find("cblas_" + prefix + "gemm_batch_strided", gemm_batch);
  if (gemm == nullptr) throw std::runtime_error("no cblas_" + prefix + "gemm");
}

Blas::Blas(void* library, std::string name)
    : name_(std::move(name)),
      functions_({library, "s"}, {library, "d"}, {library, "c"}, {library, "z"}) {
  if (auto* const core = optional_function<const char*()>(library, "openblas_get_corename"))
    name_ += std::string("_") + core();
}

template <class T>
void Blas::multiply(const RawProduct<T>& product) const {
  constexpr int kRowMajor = 101;
  const int m = static_cast<int>(product.m), n = static_cast<int>(product.n),
            k = static_cast<int>(product.k);
  const int of_a = code_of(product.op_a), of_b = code_of(product.op_b),
            padding = static_cast<int>(product.padding), ldc = n + padding,
            lda = (is_transposed(product.op_a) ? m : k) + padding,
            ldb = (is_transposed(product.op_b) ? k : n) + padding;
  using Number = decltype(std::real(T{}));
  const T one = Number{1}, beta = static_cast<Number>(product.beta);
  const auto scalar = [](const T& value) -> Scalar<T> {
    if constexpr (kIsComplex<T>)
      return &value;
    else
      return value;
  };
  const auto& [gemm, gemm_batch] = std::get<Functions<T>>(functions_);
  if (product.count > 1 && gemm_batch != nullptr) {
    gemm_batch(kRowMajor, of_a, of_b, m, n, k, scalar(one), product.a, lda, m * k, product.b, ldb,
               k * n, scalar(beta), product.c, ldc, m * n, static_cast<int>(product.count));
    return;
  }
  for (std::size_t i = 0; i < product.count; i++) {
    gemm(kRowMajor, of_a, of_b, m, n, k, scalar(one), product.a + i * product.m * product.k, lda,
         product.b + i * product.k * product.n, ldb, scalar(beta),
         product.c + i * product.m * product.n, ldc);
  }
}
template void Blas::multiply(const RawProduct<float>& product) const;
template void Blas::multiply(const RawProduct<double>& product) const;
template void Blas::multiply(const RawProduct<std::complex<float>>& product) const;
template void Blas::multiply(const RawProduct<std::complex<double>>& product) const;

const std::vector<Blas>& installed_blas() {
  static const std::vector<Blas> all = [] {
    set_environment();
    std::vector<Blas> found;
    const auto add = [&](const char* name, std::initializer_list<const char*> files) {
      // They export the same names.
      constexpr int kOfItsOwn = RTLD_LOCAL | RTLD_DEEPBIND;
      if (void* library = open_first(files, kOfItsOwn)) found.emplace_back(library, name);
    };
    add("OpenBLAS", {"libopenblas.so.0", "libopenblas.so"});
    add("MKL", {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"});
    add("BLIS", {"libblis.so.4", "libblis.so"});
    return found;
  }();
  return all;
}

}  // namespace tessera::bench
