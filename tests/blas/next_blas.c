/* A BLAS that comes next: plain products under every name, which count how often they are called. */
#include <stddef.h>
#include <stdint.h>

int next_calls = 0;

static int is_turned(char letter) { return letter != 'N' && letter != 'n'; }

#define PLAIN(T)                                                                                 \
  static void plain_##T(int ta, int tb, int64_t m, int64_t n, int64_t k, T alpha, const T* a,    \
                        int64_t lda, const T* b, int64_t ldb, T beta, T* c, int64_t ldc) {       \
    int64_t i, j, p;                                                                             \
    __atomic_add_fetch(&next_calls, 1, __ATOMIC_RELAXED);                                        \
    for (j = 0; j < n; j++) {                                                                    \
      for (i = 0; i < m; i++) {                                                                  \
        double sum = 0;                                                                          \
        for (p = 0; p < k && alpha != 0; p++)                                                    \
          sum += (double)a[ta ? p + i * lda : i + p * lda] * b[tb ? j + p * ldb : p + j * ldb];  \
        c[i + j * ldc] = (T)(alpha * sum + (beta == 0 ? 0 : beta * c[i + j * ldc]));             \
      }                                                                                          \
    }                                                                                            \
  }
PLAIN(float)
PLAIN(double)

#define FORTRAN(NAME, T, INT)                                                                       \
  void NAME(const char* ta, const char* tb, const INT* m, const INT* n, const INT* k,               \
            const T* alpha, const T* a, const INT* lda, const T* b, const INT* ldb, const T* beta,  \
            T* c, const INT* ldc, size_t la, size_t lb) {                                           \
    (void)la, (void)lb;                                                                             \
    plain_##T(is_turned(*ta), is_turned(*tb), *m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc); \
  }
#define CBLAS(NAME, T, INT)                                                                         \
  void NAME(int order, int ta, int tb, INT m, INT n, INT k, T alpha, const T* a, INT lda,           \
            const T* b, INT ldb, T beta, T* c, INT ldc) {                                           \
    if (order == 101) {                                                                             \
      plain_##T(tb != 111, ta != 111, n, m, k, alpha, b, ldb, a, lda, beta, c, ldc);                \
    } else {                                                                                        \
      plain_##T(ta != 111, tb != 111, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                \
    }                                                                                               \
  }
#include "all_names.h"
