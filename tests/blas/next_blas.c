/* A BLAS that comes next: plain loops under every name, which count how often they are called. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "client.h"

int next_calls = 0;

static int is(char letter, char capital) { return (letter & ~0x20) == capital; }

/* An element of a matrix that is general, symmetric or triangular: the stored triangle decides. */
typedef enum Shape { kGeneral, kSymmetric, kTriangular } Shape;

#define LOOPS(T)                                                                                  \
  typedef struct Matrix_##T {                                                                     \
    const T* at;                                                                                  \
    int64_t dimension;                                                                            \
    Shape shape;                                                                                  \
    int is_upper, is_turned, is_unit;                                                             \
  } Matrix_##T;                                                                                   \
  static double element_##T(const Matrix_##T* a, int64_t i, int64_t j) {                          \
    const int64_t row = a->is_turned ? j : i, column = a->is_turned ? i : j;                      \
    const int is_stored = a->shape == kGeneral || row == column || (row < column) == a->is_upper; \
    if (a->shape == kTriangular && row == column && a->is_unit) return 1;                         \
    if (!is_stored && a->shape == kTriangular) return 0;                                          \
    return is_stored ? a->at[row + column * a->dimension] : a->at[column + row * a->dimension];   \
  }                                                                                               \
  /* triangle: 'A'll of C, 'U'pper or 'L'ower. */                                                 \
  static void plain_##T(char triangle, int64_t m, int64_t n, int64_t k, double alpha,             \
                        const Matrix_##T* a, const Matrix_##T* b, double beta, T* c,              \
                        int64_t ldc) {                                                            \
    int64_t i, j, p;                                                                              \
    for (j = 0; j < n; j++) {                                                                     \
      for (i = 0; i < m; i++) {                                                                   \
        double sum = 0;                                                                           \
        if ((i > j && is(triangle, 'U')) || (i < j && is(triangle, 'L'))) continue;               \
        for (p = 0; p < k && alpha != 0; p++) sum += element_##T(a, i, p) * element_##T(b, p, j); \
        c[i + j * ldc] = (T)(alpha * sum + (beta == 0 ? 0 : beta * c[i + j * ldc]));              \
      }                                                                                           \
    }                                                                                             \
  }                                                                                               \
  /* One column x = op(A)^-1 * alpha * x, or a row of a problem whose A is at the right. */       \
  static void substitute_##T(const Matrix_##T* a, int64_t n, double alpha, T* x, int64_t step) {  \
    const int is_lower = a->is_upper == a->is_turned;                                             \
    int64_t i, p;                                                                                 \
    for (i = 0; i < n; i++) {                                                                     \
      const int64_t row = is_lower ? i : n - 1 - i;                                               \
      double sum = alpha * x[row * step];                                                         \
      for (p = is_lower ? 0 : row + 1; p < (is_lower ? row : n); p++)                             \
        sum -= element_##T(a, row, p) * x[p * step];                                              \
      x[row * step] = (T)(sum / element_##T(a, row, row));                                        \
    }                                                                                             \
  }
LOOPS(float)
LOOPS(double)

#define COUNT __atomic_add_fetch(&next_calls, 1, __ATOMIC_RELAXED)

#define FORTRAN(L, S, T, INT)                                                                      \
  void L##gemm##S(const char* ta, const char* tb, const INT* m, const INT* n, const INT* k,        \
                  const T* alpha, const T* a, const INT* lda, const T* b, const INT* ldb,          \
                  const T* beta, T* c, const INT* ldc, size_t la, size_t lb) {                     \
    const Matrix_##T left = {a, *lda, kGeneral, 0, !is(*ta, 'N'), 0};                              \
    const Matrix_##T right = {b, *ldb, kGeneral, 0, !is(*tb, 'N'), 0};                             \
    (void)la, (void)lb, COUNT;                                                                     \
    plain_##T('A', *m, *n, *k, *alpha, &left, &right, *beta, c, *ldc);                             \
  }                                                                                                \
  void L##syrk##S(const char* uplo, const char* trans, const INT* n, const INT* k, const T* alpha, \
                  const T* a, const INT* lda, const T* beta, T* c, const INT* ldc, size_t la,      \
                  size_t lb) {                                                                     \
    const Matrix_##T left = {a, *lda, kGeneral, 0, !is(*trans, 'N'), 0};                           \
    const Matrix_##T right = {a, *lda, kGeneral, 0, is(*trans, 'N'), 0};                           \
    (void)la, (void)lb, COUNT;                                                                     \
    plain_##T(*uplo, *n, *n, *k, *alpha, &left, &right, *beta, c, *ldc);                           \
  }                                                                                                \
  void L##syr2k##S(const char* uplo, const char* trans, const INT* n, const INT* k,                \
                   const T* alpha, const T* a, const INT* lda, const T* b, const INT* ldb,         \
                   const T* beta, T* c, const INT* ldc, size_t la, size_t lb) {                    \
    const int is_turned = !is(*trans, 'N');                                                        \
    const Matrix_##T left = {a, *lda, kGeneral, 0, is_turned, 0};                                  \
    const Matrix_##T right = {b, *ldb, kGeneral, 0, !is_turned, 0};                                \
    const Matrix_##T second_left = {b, *ldb, kGeneral, 0, is_turned, 0};                           \
    const Matrix_##T second_right = {a, *lda, kGeneral, 0, !is_turned, 0};                         \
    (void)la, (void)lb, COUNT;                                                                     \
    plain_##T(*uplo, *n, *n, *k, *alpha, &left, &right, *beta, c, *ldc);                           \
    plain_##T(*uplo, *n, *n, *k, *alpha, &second_left, &second_right, 1, c, *ldc);                 \
  }                                                                                                \
  void L##symm##S(const char* side, const char* uplo, const INT* m, const INT* n, const T* alpha,  \
                  const T* a, const INT* lda, const T* b, const INT* ldb, const T* beta, T* c,     \
                  const INT* ldc, size_t la, size_t lb) {                                          \
    const Matrix_##T own = {a, *lda, kSymmetric, is(*uplo, 'U'), 0, 0};                            \
    const Matrix_##T other = {b, *ldb, kGeneral, 0, 0, 0};                                         \
    const int is_right = is(*side, 'R');                                                           \
    (void)la, (void)lb, COUNT;                                                                     \
    plain_##T('A', *m, *n, is_right ? *n : *m, *alpha, is_right ? &other : &own,                   \
              is_right ? &own : &other, *beta, c, *ldc);                                           \
  }                                                                                                \
  void L##trsm##S(const char* side, const char* uplo, const char* trans, const char* diag,         \
                  const INT* m, const INT* n, const T* alpha, const T* a, const INT* lda, T* b,    \
                  const INT* ldb, size_t la, size_t lb, size_t lc, size_t ld) {                    \
    const int is_right = is(*side, 'R');                                                           \
    const Matrix_##T own = {                                                                       \
        a, *lda, kTriangular, is(*uplo, 'U'), is(*trans, 'N') == is_right, is(*diag, 'U')};        \
    INT i;                                                                                         \
    (void)la, (void)lb, (void)lc, (void)ld, COUNT;                                                 \
    for (i = 0; i < (is_right ? *m : *n); i++)                                                     \
      substitute_##T(&own, is_right ? *n : *m, *alpha, b + (is_right ? i : i * *ldb),              \
                     is_right ? *ldb : 1);                                                         \
  }                                                                                                \
  void L##trmm##S(const char* side, const char* uplo, const char* trans, const char* diag,         \
                  const INT* m, const INT* n, const T* alpha, const T* a, const INT* lda, T* b,    \
                  const INT* ldb, size_t la, size_t lb, size_t lc, size_t ld) {                    \
    const int is_right = is(*side, 'R');                                                           \
    const Matrix_##T own = {                                                                       \
        a, *lda, kTriangular, is(*uplo, 'U'), !is(*trans, 'N'), is(*diag, 'U')};                   \
    T* const before = malloc((size_t)(*m * *n) * sizeof(T));                                       \
    const Matrix_##T other = {before, *m, kGeneral, 0, 0, 0};                                      \
    INT i;                                                                                         \
    (void)la, (void)lb, (void)lc, (void)ld, COUNT;                                                 \
    for (i = 0; i < *m * *n; i++) before[i] = b[i % *m + i / *m * *ldb];                           \
    plain_##T('A', *m, *n, is_right ? *n : *m, *alpha, is_right ? &other : &own,                   \
              is_right ? &own : &other, 0, b, *ldb);                                               \
    free(before);                                                                                  \
  }
/* As netlib's, functions for C ask Fortran's: libtessera-blas sees them again. */
#define TURNED(order, letter, opposite) ((order) == 101 ? (opposite) : (letter))
#define OPERATION(order, trans) TURNED(order, trans == 111 ? "N" : "T", trans == 111 ? "T" : "N")
#define TRIANGLE(order, uplo) TURNED(order, uplo == 121 ? "U" : "L", uplo == 121 ? "L" : "U")
#define SIDE(order, side) TURNED(order, side == 141 ? "L" : "R", side == 141 ? "R" : "L")
#define CBLAS(L, S, T, INT)                                                                        \
  void L##gemm##S(int order, int ta, int tb, INT m, INT n, INT k, T alpha, const T* a, INT lda,    \
                  const T* b, INT ldb, T beta, T* c, INT ldc) {                                    \
    const Integer m_ = (Integer)m, n_ = (Integer)n, k_ = (Integer)k, lda_ = (Integer)lda;          \
    const Integer ldb_ = (Integer)ldb, ldc_ = (Integer)ldc;                                        \
    const char *const op_a = ta == 111 ? "N" : "T", *const op_b = tb == 111 ? "N" : "T";           \
    if (order == 101) {                                                                            \
      fortran_##T(gemm_)(op_b, op_a, &n_, &m_, &k_, &alpha, b, &ldb_, a, &lda_, &beta, c, &ldc_,   \
                         1, 1);                                                                    \
    } else {                                                                                       \
      fortran_##T(gemm_)(op_a, op_b, &m_, &n_, &k_, &alpha, a, &lda_, b, &ldb_, &beta, c, &ldc_,   \
                         1, 1);                                                                    \
    }                                                                                              \
  }                                                                                                \
  void L##syrk##S(int order, int uplo, int trans, INT n, INT k, T alpha, const T* a, INT lda,      \
                  T beta, T* c, INT ldc) {                                                         \
    const Integer n_ = (Integer)n, k_ = (Integer)k, lda_ = (Integer)lda, ldc_ = (Integer)ldc;      \
    fortran_##T(syrk_)(TRIANGLE(order, uplo), OPERATION(order, trans), &n_, &k_, &alpha, a, &lda_, \
                       &beta, c, &ldc_, 1, 1);                                                     \
  }                                                                                                \
  void L##syr2k##S(int order, int uplo, int trans, INT n, INT k, T alpha, const T* a, INT lda,     \
                   const T* b, INT ldb, T beta, T* c, INT ldc) {                                   \
    const Integer n_ = (Integer)n, k_ = (Integer)k, lda_ = (Integer)lda, ldc_ = (Integer)ldc;      \
    const Integer ldb_ = (Integer)ldb;                                                             \
    fortran_##T(syr2k_)(TRIANGLE(order, uplo), OPERATION(order, trans), &n_, &k_, &alpha, a,       \
                        &lda_, b, &ldb_, &beta, c, &ldc_, 1, 1);                                   \
  }                                                                                                \
  void L##symm##S(int order, int side, int uplo, INT m, INT n, T alpha, const T* a, INT lda,       \
                  const T* b, INT ldb, T beta, T* c, INT ldc) {                                    \
    const Integer m_ = (Integer)(order == 101 ? n : m), n_ = (Integer)(order == 101 ? m : n);      \
    const Integer lda_ = (Integer)lda, ldb_ = (Integer)ldb, ldc_ = (Integer)ldc;                   \
    fortran_##T(symm_)(SIDE(order, side), TRIANGLE(order, uplo), &m_, &n_, &alpha, a, &lda_, b,    \
                       &ldb_, &beta, c, &ldc_, 1, 1);                                              \
  }                                                                                                \
  void L##trsm##S(int order, int side, int uplo, int trans, int diag, INT m, INT n, T alpha,       \
                  const T* a, INT lda, T* b, INT ldb) {                                            \
    const Integer m_ = (Integer)(order == 101 ? n : m), n_ = (Integer)(order == 101 ? m : n);      \
    const Integer lda_ = (Integer)lda, ldb_ = (Integer)ldb;                                        \
    fortran_##T(trsm_)(SIDE(order, side), TRIANGLE(order, uplo), trans == 111 ? "N" : "T",         \
                       diag == 132 ? "U" : "N", &m_, &n_, &alpha, a, &lda_, b, &ldb_, 1, 1, 1, 1); \
  }                                                                                                \
  void L##trmm##S(int order, int side, int uplo, int trans, int diag, INT m, INT n, T alpha,       \
                  const T* a, INT lda, T* b, INT ldb) {                                            \
    const Integer m_ = (Integer)(order == 101 ? n : m), n_ = (Integer)(order == 101 ? m : n);      \
    const Integer lda_ = (Integer)lda, ldb_ = (Integer)ldb;                                        \
    fortran_##T(trmm_)(SIDE(order, side), TRIANGLE(order, uplo), trans == 111 ? "N" : "T",         \
                       diag == 132 ? "U" : "N", &m_, &n_, &alpha, a, &lda_, b, &ldb_, 1, 1, 1, 1); \
  }
#define fortran_float(routine) s##routine
#define fortran_double(routine) d##routine
#include "families.h"
