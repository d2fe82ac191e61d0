/* A program that knows only BLAS, in front of a BLAS that counts: which products reach the next
 * one, and whether all are right.
 *   front_client device   all valid products go to the device
 *   front_client next     none does
 *   front_client either   it does not matter
 *   front_client tiles    a complex product that a device of 1 GiB computes in tiles
 *   front_client pieces   a product that is added to C, which comes back in pieces
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"

#ifdef WITHOUT_NEXT
static const int next_calls = 0;
#else
extern int next_calls;
#endif

int failed = 0;
void expect(int holds, const char* what, const char* name) {
  if (holds) return;
  printf("%s: %s\n", name, what);
  failed = 1;
}

static unsigned seed = 7;
int drawn(int least, int most) {
  seed = seed * 1103515245u + 12345u;
  return least + (int)(seed >> 16) % (most - least + 1);
}
double complex element(void) { return CMPLX(drawn(-8, 8), drawn(-8, 8)); }

static double complex read_as(double complex element, int op) {
  return op == 2 ? conj(element) : element;
}

/* One product of a random shape with padded columns, checked element by element; column-major. An
 * op is 0, 1 for the transpose or 2 for the adjoint. */
#define CHECK(NAME, T, INT, ...)                                                  \
  static void check_##NAME(int real_alpha, int real_beta) {                       \
    const int ta = drawn(0, 2), tb = drawn(0, 2);                                 \
    const INT m = drawn(1, 40), n = drawn(1, 40), k = drawn(1, 40);               \
    const INT lda = (ta ? k : m) + drawn(0, 3), ldb = (tb ? n : k) + drawn(0, 3); \
    const INT ldc = m + drawn(0, 3);                                              \
    const T alpha = (T)CMPLX(real_alpha, drawn(-1, 1));                           \
    const T beta = (T)CMPLX(real_beta, real_beta == 0 ? 0 : drawn(-1, 1));        \
    static T a[43 * 43], b[43 * 43], c[43 * 43], before[43 * 43];                 \
    int i, j, p, right = 1;                                                       \
    for (i = 0; i < 43 * 43; i++) {                                               \
      a[i] = (T)element();                                                        \
      b[i] = (T)element();                                                        \
      before[i] = c[i] = beta == 0 ? (T)CMPLX(NAN, NAN) : (T)element();           \
    }                                                                             \
    __VA_ARGS__;                                                                  \
    for (j = 0; j < ldc * n; j++) {                                               \
      double complex sum = 0;                                                     \
      if (j % ldc >= m) {                                                         \
        right = right && memcmp(&c[j], &before[j], sizeof c[j]) == 0;             \
        continue;                                                                 \
      }                                                                           \
      for (p = 0; p < k; p++)                                                     \
        sum += read_as(a[ta ? p + j % ldc * lda : j % ldc + p * lda], ta) *       \
               read_as(b[tb ? j / ldc + p * ldb : p + j / ldc * ldb], tb);        \
      sum = alpha * sum + (beta == 0 ? 0 : beta * (double complex)before[j]);     \
      right = right && c[j] == (T)sum;                                            \
    }                                                                             \
    expect(right, "a wrong product", #NAME);                                      \
  }
#define FORTRAN(L, S, T, INT)                                                                     \
  void L##gemm##S(const char*, const char*, const INT*, const INT*, const INT*, const T*,         \
                  const T*, const INT*, const T*, const INT*, const T*, T*, const INT*, size_t,   \
                  size_t);                                                                        \
  CHECK(L##gemm##S, T, INT, {                                                                     \
    static const char* const letters[] = {"n", "T", "c"};                                         \
    L##gemm##S(letters[ta], letters[tb], &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, \
               1);                                                                                \
  })
#define CBLAS(L, S, T, INT)                                                               \
  void L##gemm##S(int, int, int, INT, INT, INT, SCALAR_##T, const T*, INT, const T*, INT, \
                  SCALAR_##T, T*, INT);                                                   \
  CHECK(L##gemm##S, T, INT, {                                                             \
    if (drawn(0, 1)) {                                                                    \
      L##gemm##S(102, 111 + ta, 111 + tb, m, n, k, PASS_##T(alpha), a, lda, b, ldb,       \
                 PASS_##T(beta), c, ldc);                                                 \
    } else { /* the row-major product of the transposes */                                \
      L##gemm##S(101, 111 + tb, 111 + ta, n, m, k, PASS_##T(alpha), b, ldb, a, lda,       \
                 PASS_##T(beta), c, ldc);                                                 \
    }                                                                                     \
  })
#define HERMITIAN_FORTRAN(L, S, T, PART, INT)
#define HERMITIAN_CBLAS HERMITIAN_FORTRAN
#include "families.h"
#undef FORTRAN
#undef CBLAS

/* Returns how many products there were. */
static int check_all(int alpha, int beta) {
  int families = 0;
#define FORTRAN(L, S, T, INT)      \
  check_##L##gemm##S(alpha, beta); \
  families++;
#define CBLAS FORTRAN
#include "families.h"
#undef FORTRAN
#undef CBLAS
  return families;
}

/* Products that are large enough for a device without min=: the first ones measure. */
static void check_large(void) {
  enum { kEdge = 100 };
  static float a[kEdge * kEdge], c[kEdge * kEdge];
  static double x[kEdge * kEdge], y[kEdge * kEdge];
  static ComplexFloat z[kEdge * kEdge], w[kEdge * kEdge];
  static ComplexDouble u[kEdge * kEdge], v[kEdge * kEdge];
  const Integer edge = kEdge;
  const float one = 1, none = 0;
  const ComplexFloat complex_one = 1, complex_none = 0;
  const ComplexDouble long_one = 1, long_none = 0;
  int i, p, right = 1;
  for (i = 0; i < kEdge * kEdge; i++) {
    u[i] = element();
    z[i] = (ComplexFloat)u[i];
    x[i] = a[i] = (float)u[i];
  }
  sgemm_("N", "N", &edge, &edge, &edge, &one, a, &edge, a, &edge, &none, c, &edge, 1, 1);
  cblas_dgemm(102, 111, 111, edge, edge, edge, 1, x, edge, x, edge, 0, y, edge);
  cgemm_("N", "N", &edge, &edge, &edge, &complex_one, z, &edge, z, &edge, &complex_none, w, &edge,
         1, 1);
  cblas_zgemm(102, 111, 111, edge, edge, edge, &long_one, u, edge, u, edge, &long_none, v, edge);
  for (i = 0; i < kEdge * kEdge; i++) {
    double sum = 0;
    double complex complex_sum = 0;
    for (p = 0; p < kEdge; p++) {
      sum += x[i % kEdge + p * kEdge] * x[p + i / kEdge * kEdge];
      complex_sum += u[i % kEdge + p * kEdge] * u[p + i / kEdge * kEdge];
    }
    right = right && c[i] == (float)sum && y[i] == sum && w[i] == (ComplexFloat)complex_sum &&
            v[i] == complex_sum;
  }
  expect(right, "a wrong product", "large");
}

/* Seven columns are too few for the kernels that the model knows. */
static void check_few_columns(void) {
  enum { kRows = 200, kColumns = 7 };
  static ComplexFloat a[kRows * kRows], b[kRows * kColumns], c[kRows * kColumns];
  const Integer rows = kRows, columns = kColumns;
  const ComplexFloat one = 1, none = 0;
  int i, p, right = 1;
  for (i = 0; i < kRows * kRows; i++) a[i] = (ComplexFloat)element();
  for (i = 0; i < kRows * kColumns; i++) b[i] = (ComplexFloat)element();
  cgemm_("N", "N", &rows, &columns, &rows, &one, a, &rows, b, &rows, &none, c, &rows, 1, 1);
  for (i = 0; i < kRows * kColumns; i++) {
    double complex sum = 0;
    for (p = 0; p < kRows; p++) sum += a[i % kRows + p * kRows] * b[p + i / kRows * kRows];
    right = right && c[i] == sum;
  }
  expect(right, "a wrong product", "few columns");
}

/* C is larger than any buffer of a device of 1 GiB, and alpha needs a copy of each tile. */
static void check_tiles(void) {
  enum { kEdge = 4100, kDepth = 3 };
  static ComplexDouble a[kEdge * kDepth], b[kEdge * kDepth];
  ComplexDouble* const c = malloc((size_t)kEdge * kEdge * sizeof *c);
  const ComplexDouble alpha = CMPLX(2, -1), none = 0;
  const Integer edge = kEdge, depth = kDepth;
  int i, p, right = c != NULL;
  for (i = 0; i < kEdge * kDepth; i++) {
    a[i] = element();
    b[i] = element();
  }
  for (i = 0; i < kEdge * kEdge && right; i++) c[i] = CMPLX(NAN, NAN);
  if (right)
    zgemm_("N", "C", &edge, &edge, &depth, &alpha, a, &edge, b, &edge, &none, c, &edge, 1, 1);
  for (i = 0; i < kEdge * kEdge && right; i++) {
    double complex sum = 0;
    for (p = 0; p < kDepth; p++) sum += a[i % kEdge + p * kEdge] * conj(b[i / kEdge + p * kEdge]);
    right = c[i] == alpha * sum;
  }
  expect(right, "a wrong product", "tiles");
  expect(next_calls == 0, "not by the device", "tiles");
  free(c);
}

/* 69 MiB of C. */
static void check_pieces(void) {
  enum { kEdge = 3000, kDimension = 3001, kDepth = 3 };
  static double a[kEdge * kDepth], b[kEdge * kDepth];
  double* const c = malloc((size_t)kDimension * kEdge * sizeof *c);
  const double unit = 1;
  const Integer edge = kEdge, depth = kDepth, dimension = kDimension;
  int i, p, right = c != NULL;
  for (i = 0; i < kEdge * kDepth; i++) {
    a[i] = drawn(-8, 8);
    b[i] = drawn(-8, 8);
  }
  for (i = 0; i < kDimension * kEdge && right; i++) c[i] = i % 7;
  if (right)
    dgemm_("N", "T", &edge, &edge, &depth, &unit, a, &edge, b, &edge, &unit, c, &dimension, 1, 1);
  for (i = 0; i < kDimension * kEdge && right; i++) {
    double sum = i % 7;
    for (p = 0; p < kDepth && i % kDimension < kEdge; p++)
      sum += a[i % kDimension + p * kEdge] * b[i / kDimension + p * kEdge];
    right = c[i] == sum;
  }
  expect(right, "a wrong product", "pieces");
  printf("%d calls of the next BLAS\n", next_calls);
  free(c);
}

/* Leading dimensions of matrices with one column may be larger than integers of 32 bits. */
static void check_wide(void) {
#ifdef WIDE_INTEGERS
  const int64_t huge = INT64_C(1) << 32, one = 1, two = 2;
  const double a[2] = {3, 4}, b[1] = {5}, unit = 1, zero = 0;
  double c[2] = {0, 0}, d[2] = {0, 0};
  dgemm_("N", "N", &two, &one, &one, &unit, a, &huge, b, &huge, &zero, c, &huge, 1, 1);
  cblas_dgemm(102, 111, 111, 2, 1, 1, 1, a, huge, b, huge, 0, d, huge);
  expect(c[0] == 15 && c[1] == 20 && d[0] == 15 && d[1] == 20, "wrong products", "wide integers");
#endif
}

int main(int count, char** arguments) {
  const char* const expected = count > 1 ? arguments[1] : "either";
  const Integer none = 0, one = 1, short_column = 1, two = 2;
  double a[4] = {1, 2, 3, 4}, c[4] = {5, 6, 7, 8};
  const double zero = 0, unit = 1;
  const ComplexDouble z_zero = 0, z_one = 1, z[4] = {1, 2, 3, 4};
  ComplexDouble w[4] = {5, 6, 7, 8};
  int i, before, calls = 5, status = 0;
  pid_t child;
  if (strcmp(expected, "tiles") == 0) {
    check_tiles();
    return failed;
  }
  if (strcmp(expected, "pieces") == 0) {
    check_pieces();
    return failed;
  }
  for (i = 0; i < 20; i++) calls += check_all(1, 0) + check_all(-2, 3);
  check_large();
  check_few_columns();
  if (strcmp(expected, "next") == 0)
    expect(next_calls == calls, "not all went to the next BLAS", expected);
  check_wide();
  if (strcmp(expected, "device") == 0)
    expect(next_calls == 0, "the next BLAS was called", expected);
  /* It computes the diagonal blocks of these at least. */
  before = next_calls;
  for (calls = 0, i = 0; i < 8; i++) calls += check_blocked(1, 0) + check_blocked(-2, 3);
  if (strcmp(expected, "next") == 0)
    expect(next_calls == before + calls, "not all went to the next BLAS", expected);
#ifndef WITHOUT_NEXT
  /* What is empty, invalid or scaled by 0 is the next BLAS's business. */
  before = next_calls;
  dgemm_("N", "N", &none, &one, &one, &unit, a, &one, a, &one, &unit, c, &one, 1, 1);
  dgemm_("N", "N", &two, &two, &none, &unit, a, &two, a, &two, &unit, c, &two, 1, 1);
  dgemm_("N", "N", &two, &two, &two, &zero, a, &two, a, &two, &unit, c, &two, 1, 1);
  dgemm_("N", "N", &two, &two, &two, &unit, a, &short_column, a, &two, &zero, c, &two, 1, 1);
  dgemm_("X", "N", &two, &two, &two, &unit, a, &two, a, &two, &zero, c, &two, 1, 1);
  zgemm_("N", "C", &two, &two, &none, &z_one, z, &two, z, &two, &z_one, w, &two, 1, 1);
  zgemm_("N", "C", &two, &two, &two, &z_zero, z, &two, z, &two, &z_one, w, &two, 1, 1);
  zgemm_("N", "R", &two, &two, &two, &z_one, z, &two, z, &two, &z_zero, w, &two, 1, 1);
  expect(next_calls == before + 8, "the next BLAS was not asked", "special arguments");
  before = next_calls;
  calls = call_with_other_ops();
  expect(next_calls == before + calls, "the next BLAS was not asked", "other ops");
#endif
  /* A child computes on the host. */
  child = fork();
  if (child == 0) {
    (void)check_all(1, 0);
    (void)check_blocked(1, 0);
    _exit(failed);
  }
  expect(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0,
         "the child failed", "fork");
  if (failed == 0) printf("all products are right\n");
  return failed;
}
