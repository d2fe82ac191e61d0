#include "blas.hpp"

#include <cstdlib>
#include <initializer_list>
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

}  // namespace

Blas::Blas(void* library, std::string name)
    : name_(std::move(name)),
      sgemm_(function<Gemm<float>>(library, "cblas_sgemm")),
      dgemm_(function<Gemm<double>>(library, "cblas_dgemm")),
      sgemm_batch_(optional_function<GemmBatch<float>>(library, "cblas_sgemm_batch_strided")),
      dgemm_batch_(optional_function<GemmBatch<double>>(library, "cblas_dgemm_batch_strided")) {
  if (auto* const core = optional_function<const char*()>(library, "openblas_get_corename"))
    name_ += std::string("_") + core();
}

template <class T>
void Blas::multiply(const RawProduct<T>& product, Gemm<T>* gemm, GemmBatch<T>* batch) {
  constexpr int kRowMajor = 101, kAsItIs = 111, kTransposed = 112;
  const int m = static_cast<int>(product.m), n = static_cast<int>(product.n),
            k = static_cast<int>(product.k);
  const int of_a = product.transpose_a ? kTransposed : kAsItIs,
            of_b = product.transpose_b ? kTransposed : kAsItIs,
            padding = static_cast<int>(product.padding), ldc = n + padding,
            lda = (product.transpose_a ? m : k) + padding,
            ldb = (product.transpose_b ? k : n) + padding;
  const T beta = static_cast<T>(product.beta);
  if (product.count > 1 && batch != nullptr) {
    batch(kRowMajor, of_a, of_b, m, n, k, 1, product.a, lda, m * k, product.b, ldb, k * n, beta,
          product.c, ldc, m * n, static_cast<int>(product.count));
    return;
  }
  for (std::size_t i = 0; i < product.count; i++) {
    gemm(kRowMajor, of_a, of_b, m, n, k, 1, product.a + i * product.m * product.k, lda,
         product.b + i * product.k * product.n, ldb, beta, product.c + i * product.m * product.n,
         ldc);
  }
}

void Blas::multiply(const RawProduct<float>& product) const {
  multiply(product, sgemm_, sgemm_batch_);
}
void Blas::multiply(const RawProduct<double>& product) const {
  multiply(product, dgemm_, dgemm_batch_);
}

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
