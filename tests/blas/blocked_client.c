/* Routines with symmetric and triangular matrices, by every name, checked element by element. What
 * they must not read is NaN, and what they must not write is compared. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "client.h"

enum { kMost = 40, kPadding = 3, kElements = (kMost + kPadding) * (kMost + kPadding) };
typedef enum Kind { kSyrk, kSyr2k, kSymm, kTrsm, kTrmm, kKinds } Kind;

typedef struct Problem {
  Kind kind;
  int is_row_major; /* for C */
  int is_right, is_upper, is_transposed, is_unit;
  int m, n, k, lda, ldb, ldc;
  int alpha, beta;
  double a[kElements], b[kElements], c[kElements];
} Problem;

static int is_rank_update(const Problem* p) { return p->kind == kSyrk || p->kind == kSyr2k; }
static int order(const Problem* p) { return p->is_right ? p->n : p->m; }

/* An element of op(A) of the problem; `at` has columns. */
static double op(const double* at, int leading_dimension, int is_transposed, int i, int j) {
  return is_transposed ? at[j + i * leading_dimension] : at[i + j * leading_dimension];
}
/* An element of A, which is symmetric or triangular, or of op(A). */
static double own(const Problem* p, int i, int j) {
  const int row = p->is_transposed ? j : i, column = p->is_transposed ? i : j;
  const int is_stored = row == column || (row < column) == p->is_upper;
  if (p->kind == kSymm)
    return is_stored ? p->a[row + column * p->lda] : p->a[column + row * p->lda];
  if (row == column && p->is_unit) return 1;
  return is_stored ? p->a[row + column * p->lda] : 0;
}
/* An element of the product of A and `other`, in their order. */
static double product(const Problem* p, const double* other, int dimension, int i, int j) {
  double sum = 0;
  int q;
  for (q = 0; q < order(p); q++)
    sum += p->is_right ? other[i + q * dimension] * own(p, q, j)
                       : own(p, i, q) * other[q + j * dimension];
  return sum;
}

static double expected(const Problem* p, const Problem* before, int i, int j) {
  const double old = p->beta == 0 ? 0 : p->beta * before->c[i + j * p->ldc];
  double sum = 0;
  int q;
  if (p->kind == kSymm) return p->alpha * product(p, before->b, p->ldb, i, j) + old;
  if (p->kind == kTrmm) return p->alpha * product(p, before->c, p->ldc, i, j);
  for (q = 0; q < p->k; q++) {
    const double a_i = op(p->a, p->lda, p->is_transposed, i, q);
    const double a_j = op(p->a, p->lda, p->is_transposed, j, q);
    sum += p->kind == kSyrk ? a_i * a_j
                            : a_i * op(p->b, p->ldb, p->is_transposed, j, q) +
                                  op(p->b, p->ldb, p->is_transposed, i, q) * a_j;
  }
  return p->alpha * sum + old;
}

static int is_right_result(const Problem* p, const Problem* before) {
  const int rows = is_rank_update(p) ? p->n : p->m;
  int i, j;
  for (j = 0; j < p->n; j++) {
    for (i = 0; i < p->ldc; i++) {
      const double *const now = &p->c[i + j * p->ldc], *const old = &before->c[i + j * p->ldc];
      const int is_written = i < rows && (!is_rank_update(p) || i == j || (i < j) == p->is_upper);
      if (!is_written) {
        if (memcmp(now, old, sizeof *now) != 0) return 0;
      } else if (p->kind == kTrsm) {
        if (product(p, p->c, p->ldc, i, j) != p->alpha * *old) return 0;
      } else if (*now != expected(p, before, i, j)) {
        return 0;
      }
    }
  }
  return 1;
}

static void draw(Problem* p, Kind kind, int is_for_c, int alpha, int beta) {
  const int is_solve = kind == kTrsm;
  int i, j, size;
  memset(p, 0, sizeof *p);
  p->kind = kind;
  p->is_row_major = is_for_c && drawn(0, 1);
  p->is_right = kind >= kSymm && drawn(0, 1);
  p->is_upper = drawn(0, 1);
  p->is_transposed = kind != kSymm && drawn(0, 1);
  p->is_unit = kind >= kTrsm && drawn(0, 1);
  p->m = drawn(1, kMost);
  p->n = drawn(1, kMost);
  p->k = drawn(1, kMost);
  p->alpha = is_solve ? 1 : alpha;
  p->beta = kind >= kTrsm ? 1 : beta;
  size = kind >= kSymm ? order(p) : p->is_transposed ? p->k : p->n;
  p->lda = size + drawn(0, kPadding);
  p->ldb = (kind == kSymm ? p->m : size) + drawn(0, kPadding);
  p->ldc = (kind >= kSymm ? p->m : p->n) + drawn(0, kPadding);
  for (i = 0; i < kElements; i++) {
    p->a[i] = is_solve ? drawn(-1, 1) * (drawn(0, 5) == 0) : element();
    p->b[i] = element();
    p->c[i] = p->beta == 0 ? (double)NAN : element();
  }
  if (kind < kSymm) return;
  for (j = 0; j < size; j++) {
    for (i = 0; i < size; i++) {
      double* const at = &p->a[i + j * p->lda];
      if (i == j && is_solve) *at = 1;
      if (i == j ? p->is_unit : (i < j) != p->is_upper) *at = (double)NAN;
    }
  }
}

/* The arguments of a row-major problem are those of the column-major one of the transposes. */
#define TRIANGLE(p) ((p)->is_upper != (p)->is_row_major)
#define SIDE(p) ((p)->is_right != (p)->is_row_major)
#define ROWS(p) ((p)->is_row_major ? n : m)
#define COLUMNS(p) ((p)->is_row_major ? m : n)
#define FORTRAN(L, S, T, INT)                                                                      \
  void L##syrk##S(const char*, const char*, const INT*, const INT*, const T*, const T*,            \
                  const INT*, const T*, T*, const INT*, size_t, size_t);                           \
  void L##syr2k##S(const char*, const char*, const INT*, const INT*, const T*, const T*,           \
                   const INT*, const T*, const INT*, const T*, T*, const INT*, size_t, size_t);    \
  void L##symm##S(const char*, const char*, const INT*, const INT*, const T*, const T*,            \
                  const INT*, const T*, const INT*, const T*, T*, const INT*, size_t, size_t);     \
  void L##trsm##S(const char*, const char*, const char*, const char*, const INT*, const INT*,      \
                  const T*, const T*, const INT*, T*, const INT*, size_t, size_t, size_t, size_t); \
  void L##trmm##S(const char*, const char*, const char*, const char*, const INT*, const INT*,      \
                  const T*, const T*, const INT*, T*, const INT*, size_t, size_t, size_t, size_t); \
  CHECK(L##S, T, INT, 0, {                                                                         \
    const char *const side = p->is_right ? "r" : "L", *const uplo = p->is_upper ? "u" : "L";       \
    const char *const trans = p->is_transposed ? "t" : "N", *const diag = p->is_unit ? "u" : "N";  \
    switch (p->kind) {                                                                             \
      case kSyrk: L##syrk##S(uplo, trans, &n, &k, &alpha, a, &lda, &beta, c, &ldc, 1, 1); break;   \
      case kSyr2k:                                                                                 \
        L##syr2k##S(uplo, trans, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1);          \
        break;                                                                                     \
      case kSymm:                                                                                  \
        L##symm##S(side, uplo, &m, &n, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1);            \
        break;                                                                                     \
      case kTrsm:                                                                                  \
        L##trsm##S(side, uplo, trans, diag, &m, &n, &alpha, a, &lda, c, &ldc, 1, 1, 1, 1);         \
        break;                                                                                     \
      default: L##trmm##S(side, uplo, trans, diag, &m, &n, &alpha, a, &lda, c, &ldc, 1, 1, 1, 1);  \
    }                                                                                              \
  })
#define CBLAS(L, S, T, INT)                                                                      \
  void L##syrk##S(int, int, int, INT, INT, T, const T*, INT, T, T*, INT);                        \
  void L##syr2k##S(int, int, int, INT, INT, T, const T*, INT, const T*, INT, T, T*, INT);        \
  void L##symm##S(int, int, int, INT, INT, T, const T*, INT, const T*, INT, T, T*, INT);         \
  void L##trsm##S(int, int, int, int, int, INT, INT, T, const T*, INT, T*, INT);                 \
  void L##trmm##S(int, int, int, int, int, INT, INT, T, const T*, INT, T*, INT);                 \
  CHECK(L##S, T, INT, 1, {                                                                       \
    const int major = p->is_row_major ? 101 : 102, side = SIDE(p) ? 142 : 141;                   \
    const int uplo = TRIANGLE(p) ? 121 : 122, diag = p->is_unit ? 132 : 131;                     \
    const int trans = p->is_transposed ? 112 : 111, turned = p->is_transposed ? 111 : 113;       \
    const int update = p->is_row_major ? turned : trans;                                         \
    switch (p->kind) {                                                                           \
      case kSyrk: L##syrk##S(major, uplo, update, n, k, alpha, a, lda, beta, c, ldc); break;     \
      case kSyr2k:                                                                               \
        L##syr2k##S(major, uplo, update, n, k, alpha, a, lda, b, ldb, beta, c, ldc);             \
        break;                                                                                   \
      case kSymm:                                                                                \
        L##symm##S(major, side, uplo, ROWS(p), COLUMNS(p), alpha, a, lda, b, ldb, beta, c, ldc); \
        break;                                                                                   \
      case kTrsm:                                                                                \
        L##trsm##S(major, side, uplo, trans, diag, ROWS(p), COLUMNS(p), alpha, a, lda, c, ldc);  \
        break;                                                                                   \
      default:                                                                                   \
        L##trmm##S(major, side, uplo, trans, diag, ROWS(p), COLUMNS(p), alpha, a, lda, c, ldc);  \
    }                                                                                            \
  })
#define CHECK(NAME, T, INT, IS_FOR_C, ...)                                                   \
  static void compute_##NAME(Problem* p) {                                                   \
    static T a[kElements], b[kElements], c[kElements];                                       \
    const INT m = p->m, n = p->n, k = p->k, lda = p->lda, ldb = p->ldb, ldc = p->ldc;        \
    const T alpha = (T)p->alpha, beta = (T)p->beta;                                          \
    int i;                                                                                   \
    for (i = 0; i < kElements; i++) a[i] = (T)p->a[i], b[i] = (T)p->b[i], c[i] = (T)p->c[i]; \
    __VA_ARGS__                                                                              \
    for (i = 0; i < kElements; i++) p->c[i] = c[i];                                          \
  }                                                                                          \
  static void check_##NAME(int alpha, int beta) {                                            \
    static const char* const names[] = {"syrk", "syr2k", "symm", "trsm", "trmm"};            \
    static Problem problem, before;                                                          \
    int kind;                                                                                \
    for (kind = 0; kind < kKinds; kind++) {                                                  \
      draw(&problem, (Kind)kind, IS_FOR_C, alpha, beta);                                     \
      before = problem;                                                                      \
      compute_##NAME(&problem);                                                              \
      expect(is_right_result(&problem, &before), names[kind], #NAME);                        \
    }                                                                                        \
  }
#include "families.h"
#undef FORTRAN
#undef CBLAS

int check_blocked(int alpha, int beta) {
  int families = 0;
#define FORTRAN(L, S, T, INT) \
  check_##L##S(alpha, beta);  \
  families++;
#define CBLAS FORTRAN
#include "families.h"
  return families * kKinds;
}
