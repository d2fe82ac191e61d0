/* A program that knows only BLAS, in front of a BLAS that counts: which products reach the next
 * one, and whether all are right.
 *   front_client device   all valid products go to the device
 *   front_client next     none does
 *   front_client either   it does not matter */
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
int element(void) { return drawn(-8, 8); }

/* One product of a random shape with padded columns, checked element by element; column-major. */
#define CHECK(NAME, T, INT, ...)                                                  \
  static void check_##NAME(int alpha, int beta) {                                 \
    const int ta = drawn(0, 1), tb = drawn(0, 1);                                 \
    const INT m = drawn(1, 40), n = drawn(1, 40), k = drawn(1, 40);               \
    const INT lda = (ta ? k : m) + drawn(0, 3), ldb = (tb ? n : k) + drawn(0, 3); \
    const INT ldc = m + drawn(0, 3);                                              \
    static T a[43 * 43], b[43 * 43], c[43 * 43], before[43 * 43];                 \
    int i, j, p, right = 1;                                                       \
    for (i = 0; i < 43 * 43; i++) {                                               \
      a[i] = (T)element();                                                        \
      b[i] = (T)element();                                                        \
      before[i] = c[i] = beta == 0 ? (T)NAN : (T)element();                       \
    }                                                                             \
    __VA_ARGS__;                                                                  \
    for (j = 0; j < ldc * n; j++) {                                               \
      double sum = 0;                                                             \
      if (j % ldc >= m) {                                                         \
        right = right && memcmp(&c[j], &before[j], sizeof c[j]) == 0;             \
        continue;                                                                 \
      }                                                                           \
      for (p = 0; p < k; p++)                                                     \
        sum += (double)a[ta ? p + j % ldc * lda : j % ldc + p * lda] *            \
               b[tb ? j / ldc + p * ldb : p + j / ldc * ldb];                     \
      sum = alpha * sum + (beta == 0 ? 0 : beta * (double)before[j]);             \
      right = right && c[j] == (T)sum;                                            \
    }                                                                             \
    expect(right, "a wrong product", #NAME);                                      \
  }
#define FORTRAN(L, S, T, INT)                                                                   \
  void L##gemm##S(const char*, const char*, const INT*, const INT*, const INT*, const T*,       \
                  const T*, const INT*, const T*, const INT*, const T*, T*, const INT*, size_t, \
                  size_t);                                                                      \
  CHECK(L##gemm##S, T, INT, {                                                                   \
    const T one = (T)alpha, other = (T)beta;                                                    \
    L##gemm##S(ta ? "t" : "N", tb ? "C" : "n", &m, &n, &k, &one, a, &lda, b, &ldb, &other, c,   \
               &ldc, 1, 1);                                                                     \
  })
#define CBLAS(L, S, T, INT)                                                                       \
  void L##gemm##S(int, int, int, INT, INT, INT, T, const T*, INT, const T*, INT, T, T*, INT);     \
  CHECK(L##gemm##S, T, INT, {                                                                     \
    if (drawn(0, 1)) {                                                                            \
      L##gemm##S(102, ta ? 112 : 111, tb ? 113 : 111, m, n, k, (T)alpha, a, lda, b, ldb, (T)beta, \
                 c, ldc);                                                                         \
    } else { /* the row-major product of the transposes */                                        \
      L##gemm##S(101, tb ? 112 : 111, ta ? 112 : 111, n, m, k, (T)alpha, b, ldb, a, lda, (T)beta, \
                 c, ldc);                                                                         \
    }                                                                                             \
  })
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
  const Integer edge = kEdge;
  const float one = 1, none = 0;
  int i, p, right = 1;
  for (i = 0; i < kEdge * kEdge; i++) x[i] = a[i] = (float)element();
  sgemm_("N", "N", &edge, &edge, &edge, &one, a, &edge, a, &edge, &none, c, &edge, 1, 1);
  cblas_dgemm(102, 111, 111, edge, edge, edge, 1, x, edge, x, edge, 0, y, edge);
  for (i = 0; i < kEdge * kEdge; i++) {
    double sum = 0;
    for (p = 0; p < kEdge; p++) sum += x[i % kEdge + p * kEdge] * x[p + i / kEdge * kEdge];
    right = right && c[i] == (float)sum && y[i] == sum;
  }
  expect(right, "a wrong product", "large");
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
  int i, before, calls = 2, status = 0;
  pid_t child;
  for (i = 0; i < 20; i++) calls += check_all(1, 0) + check_all(-2, 3);
  check_large();
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
  expect(next_calls == before + 5, "the next BLAS was not asked", "special arguments");
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
