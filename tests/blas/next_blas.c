/* A BLAS that comes next: plain products under every name, which count how often they are called.
 */
#include <stddef.h>
#include <stdint.h>

int next_calls = 0;

static int is_turned(char letter) { return letter != 'N' && letter != 'n'; }

#define PLAIN(T)                                                                                \
  static void plain_##T(int ta, int tb, int64_t m, int64_t n, int64_t k, T alpha, const T* a,   \
                        int64_t lda, const T* b, int64_t ldb, T beta, T* c, int64_t ldc) {      \
    int64_t i, j, p;                                                                            \
    __atomic_add_fetch(&next_calls, 1, __ATOMIC_RELAXED);                                       \
    for (j = 0; j < n; j++) {                                                                   \
      for (i = 0; i < m; i++) {                                                                 \
        double sum = 0;                                                                         \
        for (p = 0; p < k && alpha != 0; p++)                                                   \
          sum += (double)a[ta ? p + i * lda : i + p * lda] * b[tb ? j + p * ldb : p + j * ldb]; \
        c[i + j * ldc] = (T)(alpha * sum + (beta == 0 ? 0 : beta * c[i + j * ldc]));            \
      }                                                                                         \
    }                                                                                           \
  }
PLAIN(float)
PLAIN(double)

#define FORTRAN(NAME, T, INT)                                                                      \
  void NAME(const char* ta, const char* tb, const INT* m, const INT* n, const INT* k,              \
            const T* alpha, const T* a, const INT* lda, const T* b, const INT* ldb, const T* beta, \
            T* c, const INT* ldc, size_t la, size_t lb) {                                          \
    (void)la, (void)lb;                                                                            \
    plain_##T(is_turned(*ta), is_turned(*tb), *m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c,      \
              *ldc);                                                                               \
  }
/* As netlib's, functions for C ask Fortran's: libtessera-blas sees them again. */
#define CBLAS(NAME, T, INT)                                                                      \
  void NAME(int order, int ta, int tb, INT m, INT n, INT k, T alpha, const T* a, INT lda,        \
            const T* b, INT ldb, T beta, T* c, INT ldc) {                                        \
    const int32_t m_ = (int32_t)m, n_ = (int32_t)n, k_ = (int32_t)k, lda_ = (int32_t)lda;        \
    const int32_t ldb_ = (int32_t)ldb, ldc_ = (int32_t)ldc;                                      \
    const char *const op_a = ta == 111 ? "N" : "T", *const op_b = tb == 111 ? "N" : "T";         \
    if (order == 101) {                                                                          \
      fortran_##T(op_b, op_a, &n_, &m_, &k_, &alpha, b, &ldb_, a, &lda_, &beta, c, &ldc_, 1, 1); \
    } else {                                                                                     \
      fortran_##T(op_a, op_b, &m_, &n_, &k_, &alpha, a, &lda_, b, &ldb_, &beta, c, &ldc_, 1, 1); \
    }                                                                                            \
  }
#define fortran_float sgemm_
#define fortran_double dgemm_
#include "all_names.h"
