/* A BLAS that comes next: plain loops under every name, which count how often they are called. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "client.h"

int next_calls = 0;

static int is(char letter, char capital) { return (letter & ~0x20) == capital; }

/* An element of a matrix that is general, symmetric, Hermitian or triangular: the stored triangle
 * decides. */
typedef enum Shape { kGeneral, kSymmetric, kHermitian, kTriangular } Shape;
/* How a matrix is read. */
typedef enum Op { kPlain, kTransposed, kAdjoint } Op;
static Op op_of(char letter) {
  return is(letter, 'N') ? kPlain : is(letter, 'T') ? kTransposed : kAdjoint;
}
/* The op of the other factor of a rank update. */
static Op opposite(Op op, int is_hermitian) {
  return op != kPlain ? kPlain : is_hermitian ? kAdjoint : kTransposed;
}

/* Without the library's treatment of infinities. */
static inline double complex times(double complex x, double complex y) {
  return CMPLX(creal(x) * creal(y) - cimag(x) * cimag(y),
               creal(x) * cimag(y) + cimag(x) * creal(y));
}

#define LOOPS(T)                                                                                   \
  typedef struct Matrix_##T {                                                                      \
    const T* at;                                                                                   \
    int64_t dimension;                                                                             \
    Shape shape;                                                                                   \
    int is_upper, is_unit;                                                                         \
    Op op;                                                                                         \
  } Matrix_##T;                                                                                    \
  static double complex element_##T(const Matrix_##T* a, int64_t i, int64_t j) {                   \
    const int64_t row = a->op == kPlain ? i : j, column = a->op == kPlain ? j : i;                 \
    const int is_stored = a->shape == kGeneral || row == column || (row < column) == a->is_upper;  \
    double complex element;                                                                        \
    if (a->shape == kTriangular && row == column && a->is_unit) return 1;                          \
    if (!is_stored && a->shape == kTriangular) return 0;                                           \
    element = is_stored ? a->at[row + column * a->dimension] : a->at[column + row * a->dimension]; \
    if (a->shape == kHermitian && row == column) return creal(element);                            \
    return (a->shape == kHermitian && !is_stored) || a->op == kAdjoint ? conj(element) : element;  \
  }                                                                                                \
  /* triangle: 'A'll of C, 'U'pper or 'L'ower. */                                                  \
  static void plain_##T(char triangle, int is_hermitian, int64_t m, int64_t n, int64_t k,          \
                        double complex alpha, const Matrix_##T* a, const Matrix_##T* b,            \
                        double complex beta, T* c, int64_t ldc) {                                  \
    int64_t i, j, p;                                                                               \
    for (j = 0; j < n; j++) {                                                                      \
      for (i = 0; i < m; i++) {                                                                    \
        double complex sum = 0, old = 0;                                                           \
        if ((i > j && is(triangle, 'U')) || (i < j && is(triangle, 'L'))) continue;                \
        for (p = 0; p < k && alpha != 0; p++)                                                      \
          sum += times(element_##T(a, i, p), element_##T(b, p, j));                                \
        if (beta != 0) old = c[i + j * ldc];                                                       \
        if (is_hermitian && i == j) old = creal(old);                                              \
        sum = times(alpha, sum) + times(beta, old);                                                \
        c[i + j * ldc] = (T)(is_hermitian && i == j ? creal(sum) : sum);                           \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  /* The two products of a rank update, one after the other. */                                    \
  static void pair_##T(char triangle, int is_hermitian, Op op, int64_t n, int64_t k,               \
                       double complex alpha, const T* a, int64_t lda, const T* b, int64_t ldb,     \
                       double complex beta, T* c, int64_t ldc) {                                   \
    const Op other = opposite(op, is_hermitian);                                                   \
    const Matrix_##T left_a = {a, lda, kGeneral, 0, 0, op},                                        \
                     right_a = {a, lda, kGeneral, 0, 0, other};                                    \
    const Matrix_##T left_b = {b, ldb, kGeneral, 0, 0, op},                                        \
                     right_b = {b, ldb, kGeneral, 0, 0, other};                                    \
    int64_t i;                                                                                     \
    for (i = 0; i < n && is_hermitian && beta != 0; i++)                                           \
      c[i + i * ldc] = (T)creal(c[i + i * ldc]);                                                   \
    plain_##T(triangle, 0, n, n, k, alpha, &left_a, &right_b, beta, c, ldc);                       \
    plain_##T(triangle, 0, n, n, k, is_hermitian ? conj(alpha) : alpha, &left_b, &right_a, 1, c,   \
              ldc);                                                                                \
    for (i = 0; i < n && is_hermitian; i++) c[i + i * ldc] = (T)creal(c[i + i * ldc]);             \
  }                                                                                                \
  static void beside_##T(const char* side, int64_t m, int64_t n, double complex alpha,             \
                         const Matrix_##T* own, const T* b, int64_t ldb, double complex beta,      \
                         T* c, int64_t ldc) {                                                      \
    const Matrix_##T other = {b, ldb, kGeneral, 0, 0, kPlain};                                     \
    const int is_right = is(*side, 'R');                                                           \
    plain_##T('A', 0, m, n, is_right ? n : m, alpha, is_right ? &other : own,                      \
              is_right ? own : &other, beta, c, ldc);                                              \
  }                                                                                                \
  /* One column x = op(A)^-1 * alpha * x, or a row of a problem whose A is at the right. */        \
  static void substitute_##T(const Matrix_##T* a, int64_t n, double complex alpha, T* x,           \
                             int is_right, int64_t step) {                                         \
    const int is_lower = (a->is_upper == (a->op != kPlain)) != is_right;                           \
    int64_t i, p;                                                                                  \
    for (i = 0; i < n; i++) {                                                                      \
      const int64_t row = is_lower ? i : n - 1 - i;                                                \
      double complex sum = times(alpha, x[row * step]);                                            \
      for (p = is_lower ? 0 : row + 1; p < (is_lower ? row : n); p++)                              \
        sum -= times(is_right ? element_##T(a, p, row) : element_##T(a, row, p), x[p * step]);     \
      x[row * step] = (T)(sum / element_##T(a, row, row));                                         \
    }                                                                                              \
  }
LOOPS(float)
LOOPS(double)
LOOPS(ComplexFloat)
LOOPS(ComplexDouble)

#define COUNT __atomic_add_fetch(&next_calls, 1, __ATOMIC_RELAXED)

#define RANK_K(NAME, IS_HERMITIAN, T, FACTOR, INT)                                                \
  void NAME(const char* uplo, const char* trans, const INT* n, const INT* k, const FACTOR* alpha, \
            const T* a, const INT* lda, const FACTOR* beta, T* c, const INT* ldc, size_t la,      \
            size_t lb) {                                                                          \
    const Op op = op_of(*trans);                                                                  \
    const Matrix_##T left = {a, *lda, kGeneral, 0, 0, op};                                        \
    const Matrix_##T right = {a, *lda, kGeneral, 0, 0, opposite(op, IS_HERMITIAN)};               \
    (void)la, (void)lb, COUNT;                                                                    \
    plain_##T(*uplo, IS_HERMITIAN, *n, *n, *k, *alpha, &left, &right, *beta, c, *ldc);            \
  }
#define RANK_2K(NAME, IS_HERMITIAN, T, BETA, INT)                                            \
  void NAME(const char* uplo, const char* trans, const INT* n, const INT* k, const T* alpha, \
            const T* a, const INT* lda, const T* b, const INT* ldb, const BETA* beta, T* c,  \
            const INT* ldc, size_t la, size_t lb) {                                          \
    (void)la, (void)lb, COUNT;                                                               \
    pair_##T(*uplo, IS_HERMITIAN, op_of(*trans), *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, \
             *ldc);                                                                          \
  }
#define SYMMETRIC(NAME, SHAPE, T, INT)                                                      \
  void NAME(const char* side, const char* uplo, const INT* m, const INT* n, const T* alpha, \
            const T* a, const INT* lda, const T* b, const INT* ldb, const T* beta, T* c,    \
            const INT* ldc, size_t la, size_t lb) {                                         \
    const Matrix_##T own = {a, *lda, SHAPE, is(*uplo, 'U'), 0, kPlain};                     \
    (void)la, (void)lb, COUNT;                                                              \
    beside_##T(side, *m, *n, *alpha, &own, b, *ldb, *beta, c, *ldc);                        \
  }
#define FORTRAN(L, S, T, INT)                                                                     \
  void L##gemm##S(const char* ta, const char* tb, const INT* m, const INT* n, const INT* k,       \
                  const T* alpha, const T* a, const INT* lda, const T* b, const INT* ldb,         \
                  const T* beta, T* c, const INT* ldc, size_t la, size_t lb) {                    \
    const Matrix_##T left = {a, *lda, kGeneral, 0, 0, op_of(*ta)};                                \
    const Matrix_##T right = {b, *ldb, kGeneral, 0, 0, op_of(*tb)};                               \
    (void)la, (void)lb, COUNT;                                                                    \
    plain_##T('A', 0, *m, *n, *k, *alpha, &left, &right, *beta, c, *ldc);                         \
  }                                                                                               \
  RANK_K(L##syrk##S, 0, T, T, INT)                                                                \
  RANK_2K(L##syr2k##S, 0, T, T, INT)                                                              \
  SYMMETRIC(L##symm##S, kSymmetric, T, INT)                                                       \
  void L##trsm##S(const char* side, const char* uplo, const char* trans, const char* diag,        \
                  const INT* m, const INT* n, const T* alpha, const T* a, const INT* lda, T* b,   \
                  const INT* ldb, size_t la, size_t lb, size_t lc, size_t ld) {                   \
    const int is_right = is(*side, 'R');                                                          \
    const Matrix_##T own = {a, *lda, kTriangular, is(*uplo, 'U'), is(*diag, 'U'), op_of(*trans)}; \
    INT i;                                                                                        \
    (void)la, (void)lb, (void)lc, (void)ld, COUNT;                                                \
    for (i = 0; i < (is_right ? *m : *n); i++)                                                    \
      substitute_##T(&own, is_right ? *n : *m, *alpha, b + (is_right ? i : i * *ldb), is_right,   \
                     is_right ? *ldb : 1);                                                        \
  }                                                                                               \
  void L##trmm##S(const char* side, const char* uplo, const char* trans, const char* diag,        \
                  const INT* m, const INT* n, const T* alpha, const T* a, const INT* lda, T* b,   \
                  const INT* ldb, size_t la, size_t lb, size_t lc, size_t ld) {                   \
    const Matrix_##T own = {a, *lda, kTriangular, is(*uplo, 'U'), is(*diag, 'U'), op_of(*trans)}; \
    T* const before = malloc((size_t)(*m * *n) * sizeof(T));                                      \
    INT i;                                                                                        \
    (void)la, (void)lb, (void)lc, (void)ld, COUNT;                                                \
    for (i = 0; i < *m * *n; i++) before[i] = b[i % *m + i / *m * *ldb];                          \
    beside_##T(side, *m, *n, *alpha, &own, before, *m, 0, b, *ldb);                               \
    free(before);                                                                                 \
  }
#define HERMITIAN_FORTRAN(L, S, T, PART, INT) \
  RANK_K(L##herk##S, 1, T, PART, INT)         \
  RANK_2K(L##her2k##S, 1, T, PART, INT)       \
  SYMMETRIC(L##hemm##S, kHermitian, T, INT)
#define CBLAS(L, S, T, INT)
#define HERMITIAN_CBLAS(L, S, T, PART, INT)
#include "families.h"
