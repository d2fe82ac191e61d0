/* The names of BLAS that programs call: netlib's in Fortran and in C, with 32 and 64 bits, and
 * SciPy's. Functions for batches are missing on purpose: their interfaces differ between libraries.
 */
#include <stddef.h>

#include "front.h"

#define EXPORT __attribute__((visibility("default")))

static int is_transpose(char letter) {
  return letter == 'T' || letter == 't' || letter == 'C' || letter == 'c';
}
static int is_letter(char letter) { return is_transpose(letter) || letter == 'N' || letter == 'n'; }

/* What an invalid argument does is the next BLAS's business. */
static int is_valid(const Product* p) {
  const int64_t rows_a = p->transpose_a ? p->k : p->m, rows_b = p->transpose_b ? p->n : p->k;
  return p->m > 0 && p->n > 0 && p->k > 0 && p->alpha != 0 && p->lda >= rows_a &&
         p->ldb >= rows_b && p->ldc >= p->m;
}

static int is_large(double m, double n, double k, int is_double) {
  return m * n * k >= least_work[is_double];
}

/* Without another BLAS. */
static void alone(const Product* product, int is_known, const char* name) {
  Product valid = *product; /* apart from its sums, which may be empty */
  if (valid.k == 0 || (valid.k > 0 && valid.alpha == 0)) {
    valid.k = valid.lda = valid.ldb = INT32_MAX;
    valid.alpha = 1;
  }
  if (valid.m == 0 || valid.n == 0) return;
  if (is_known && is_valid(&valid)) {
    compute_plainly(product);
  } else {
    complain(name, "an argument is invalid");
  }
}

/* The letters are read once they are known to be there. */
#define FORTRAN(NAME, T, INT, IS_DOUBLE)                                                           \
  typedef void (*Function_##NAME)(const char*, const char*, const INT*, const INT*, const INT*,    \
                                  const T*, const T*, const INT*, const T*, const INT*, const T*,  \
                                  T*, const INT*, size_t, size_t);                                 \
  static void call_##NAME(const Product* p, void* function) {                                      \
    const char ta = p->transpose_a ? 'T' : 'N', tb = p->transpose_b ? 'T' : 'N';                   \
    const INT m = (INT)p->m, n = (INT)p->n, k = (INT)p->k;                                         \
    const INT lda = (INT)p->lda, ldb = (INT)p->ldb, ldc = (INT)p->ldc;                             \
    const T alpha = (T)p->alpha, beta = (T)p->beta;                                                \
    ((Function_##NAME)function)(&ta, &tb, &m, &n, &k, &alpha, p->a, &lda, p->b, &ldb, &beta, p->c, \
                                &ldc, 1, 1);                                                       \
  }                                                                                                \
  EXPORT void NAME(const char* ta, const char* tb, const INT* m, const INT* n, const INT* k,       \
                   const T* alpha, const T* a, const INT* lda, const T* b, const INT* ldb,         \
                   const T* beta, T* c, const INT* ldc) {                                          \
    static Routine routine = {#NAME, call_##NAME, {{0, 0}}};                                       \
    void* const caller = __builtin_return_address(0);                                              \
    void* next;                                                                                    \
    const Product product = {IS_DOUBLE,                                                            \
                             is_transpose(*ta),                                                    \
                             is_transpose(*tb),                                                    \
                             *m,                                                                   \
                             *n,                                                                   \
                             *k,                                                                   \
                             *lda,                                                                 \
                             *ldb,                                                                 \
                             *ldc,                                                                 \
                             *alpha,                                                               \
                             *beta,                                                                \
                             a,                                                                    \
                             b,                                                                    \
                             c};                                                                   \
    if (is_large((double)*m, (double)*n, (double)*k, IS_DOUBLE) && is_letter(*ta) &&               \
        is_letter(*tb) && is_valid(&product) && compute(&product, &routine, caller))               \
      return;                                                                                      \
    next = next_function(&routine, caller);                                                        \
    if (next != NULL) {                                                                            \
      ((Function_##NAME)next)(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, 1, 1);         \
    } else {                                                                                       \
      alone(&product, is_letter(*ta) && is_letter(*tb), #NAME);                                    \
    }                                                                                              \
  }

/* A row-major product is the column-major one of the exchanged operands. */
#define CBLAS(NAME, T, INT, IS_DOUBLE)                                                            \
  typedef void (*Function_##NAME)(int, int, int, INT, INT, INT, T, const T*, INT, const T*, INT,  \
                                  T, T*, INT);                                                    \
  static void call_##NAME(const Product* p, void* function) {                                     \
    ((Function_##NAME)function)(102, p->transpose_a ? 112 : 111, p->transpose_b ? 112 : 111,      \
                                (INT)p->m, (INT)p->n, (INT)p->k, (T)p->alpha, p->a, (INT)p->lda,  \
                                p->b, (INT)p->ldb, (T)p->beta, p->c, (INT)p->ldc);                \
  }                                                                                               \
  EXPORT void NAME(int order, int ta, int tb, INT m, INT n, INT k, T alpha, const T* a, INT lda,  \
                   const T* b, INT ldb, T beta, T* c, INT ldc) {                                  \
    static Routine routine = {#NAME, call_##NAME, {{0, 0}}};                                      \
    void* const caller = __builtin_return_address(0);                                             \
    const int is_known =                                                                          \
        (order == 101 || order == 102) && ta >= 111 && ta <= 113 && tb >= 111 && tb <= 113;       \
    void* next;                                                                                   \
    Product product = {IS_DOUBLE, ta != 111, tb != 111, m,    n, k, lda,                          \
                       ldb,       ldc,       alpha,     beta, a, b, c};                           \
    if (order == 101) {                                                                           \
      const Product exchanged = {IS_DOUBLE, tb != 111, ta != 111, n,    m, k, ldb,                \
                                 lda,       ldc,       alpha,     beta, b, a, c};                 \
      product = exchanged;                                                                        \
    }                                                                                             \
    if (is_large((double)m, (double)n, (double)k, IS_DOUBLE) && is_known && is_valid(&product) && \
        compute(&product, &routine, caller))                                                      \
      return;                                                                                     \
    next = next_function(&routine, caller);                                                       \
    if (next != NULL) {                                                                           \
      ((Function_##NAME)next)(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);       \
    } else {                                                                                      \
      alone(&product, is_known, #NAME);                                                           \
    }                                                                                             \
  }

FORTRAN(sgemm_, float, int32_t, 0)
FORTRAN(dgemm_, double, int32_t, 1)
FORTRAN(sgemm_64_, float, int64_t, 0)
FORTRAN(dgemm_64_, double, int64_t, 1)
FORTRAN(scipy_sgemm_, float, int32_t, 0)
FORTRAN(scipy_dgemm_, double, int32_t, 1)
FORTRAN(scipy_sgemm_64_, float, int64_t, 0)
FORTRAN(scipy_dgemm_64_, double, int64_t, 1)
CBLAS(cblas_sgemm, float, int32_t, 0)
CBLAS(cblas_dgemm, double, int32_t, 1)
CBLAS(cblas_sgemm64_, float, int64_t, 0)
CBLAS(cblas_dgemm64_, double, int64_t, 1)
CBLAS(cblas_sgemm_64, float, int64_t, 0)
CBLAS(cblas_dgemm_64, double, int64_t, 1)
CBLAS(scipy_cblas_sgemm, float, int32_t, 0)
CBLAS(scipy_cblas_dgemm, double, int32_t, 1)
CBLAS(scipy_cblas_sgemm64_, float, int64_t, 0)
CBLAS(scipy_cblas_dgemm64_, double, int64_t, 1)
