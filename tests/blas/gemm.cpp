// sgemm_ and dgemm_ of BLAS on Tessera: a library to load in front of another one.
//
// Column-major C = op(A) op(B) is row-major C^T = op(B)^T op(A)^T, so nothing is transposed. CBLAS
// of netlib calls these two. $TESSERA_BLAS_REPORT names a file to which the end of the process
// appends how many products each kernel computed.
#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

/// Reports the 1-based position of an illegal argument. The program defines it, or the BLAS behind
/// this one.
extern "C" void xerbla_(const char* name, const int* position, std::size_t length);

namespace {

/// It is never destroyed: the runtime may be gone by the end of the process.
const tessera::Engine& engine() {
  static const tessera::Engine* const kEngine = std::make_unique<tessera::Engine>().release();
  return *kEngine;
}

class Report {
 public:
  ~Report() {
    const char* name = std::getenv("TESSERA_BLAS_REPORT");
    std::FILE* file = name != nullptr && !products_.empty() ? std::fopen(name, "a") : nullptr;
    if (file == nullptr) return;
    for (const auto& [kernel, count] : products_)
      std::fprintf(file, "%s %zu\n", kernel.c_str(), count);
    std::fclose(file);
  }

  void count(const std::string& routine, const tessera::KernelRun& run) {
    const std::scoped_lock lock(mutex_);
    products_[routine + ' ' + run.operation() + '/' + run.variant()]++;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::size_t> products_;
} report;

/// A BLAS matrix, column-major with columns `leading_dimension` apart, as its row-major transpose.
template <class T>
tessera::Matrix<T> upload(const T* data, std::size_t rows, std::size_t columns,
                          std::size_t leading_dimension) {
  if (leading_dimension == rows || columns <= 1)
    return {engine(), columns, rows, std::span(data, rows * columns)};
  std::vector<T> dense(rows * columns);
  for (std::size_t j = 0; j < columns; j++)
    std::copy_n(data + j * leading_dimension, rows, dense.data() + j * rows);
  return {engine(), columns, rows, dense};
}

/// Position of the first illegal argument, 0 if there is none; the order is netlib's.
int illegal(char transpose_a, char transpose_b, int m, int n, int k, int lda, int ldb, int ldc) {
  const auto known = [](char transpose) {
    return std::string("NTC").find(transpose) != std::string::npos;
  };
  if (!known(transpose_a)) return 1;
  if (!known(transpose_b)) return 2;
  if (m < 0) return 3;
  if (n < 0) return 4;
  if (k < 0) return 5;
  if (lda < std::max(1, transpose_a == 'N' ? m : k)) return 8;
  if (ldb < std::max(1, transpose_b == 'N' ? k : n)) return 10;
  return ldc < std::max(1, m) ? 13 : 0;
}

char upper(const char* letter) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(*letter)));
}

/// An exception ends the process.
template <class T>
void gemm(const char* name, const char* transa, const char* transb, const int* m, const int* n,
          const int* k, const T* alpha, const T* a, const int* lda, const T* b, const int* ldb,
          const T* beta, T* c, const int* ldc) noexcept {
  const char transpose_a = upper(transa), transpose_b = upper(transb);
  if (const int position = illegal(transpose_a, transpose_b, *m, *n, *k, *lda, *ldb, *ldc)) {
    xerbla_(name, &position, 6);
    return;
  }
  const auto rows = static_cast<std::size_t>(*m), columns = static_cast<std::size_t>(*n),
             stride = static_cast<std::size_t>(*ldc);
  // At alpha = 0 neither a nor b is read.
  const auto terms = *alpha == 0 ? 0 : static_cast<std::size_t>(*k);
  if (rows == 0 || columns == 0 || (terms == 0 && *beta == 1)) return;
  const auto operand = [](const T* data, bool transpose, std::size_t height, std::size_t width,
                          int leading) {
    if (transpose) std::swap(height, width);
    return upload(data, height, width, static_cast<std::size_t>(leading));
  };
  const auto left = operand(a, transpose_a != 'N', rows, terms, *lda);
  const auto right = operand(b, transpose_b != 'N', terms, columns, *ldb);
  auto result =
      *beta == 0 ? tessera::Matrix<T>(engine(), columns, rows) : upload(c, rows, columns, stride);
  const auto transposed_if = [](bool is_transposed, const tessera::Matrix<T>& matrix) {
    return is_transposed ? matrix.transposed() : matrix.view();
  };
  const tessera::KernelRun run = tessera::multiply_into(
      result, transposed_if(transpose_b != 'N', right), transposed_if(transpose_a != 'N', left),
      {.alpha = *alpha, .beta = *beta});
  const std::vector<T> computed = result.to_host();
  for (std::size_t j = 0; j < columns; j++)
    std::copy_n(computed.data() + j * rows, rows, c + j * stride);
  report.count(name, run);
}

}  // namespace

#define TESSERA_GEMM(NAME, ROUTINE, T)                                                             \
  extern "C" __attribute__((visibility("default"))) void NAME(                                     \
      const char* transa, const char* transb, const int* m, const int* n, const int* k,            \
      const T* alpha, const T* a, const int* lda, const T* b, const int* ldb, const T* beta, T* c, \
      const int* ldc) {                                                                            \
    gemm(ROUTINE, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                   \
  }
TESSERA_GEMM(sgemm_, "SGEMM ", float)
TESSERA_GEMM(dgemm_, "DGEMM ", double)
