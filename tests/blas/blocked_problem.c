/* Problems with symmetric, Hermitian and triangular matrices, and what their results must be. */
#include "blocked_problem.h"

#include <math.h>
#include <string.h>

int is_hermitian(const Problem* p) { return p->kind >= kHerk; }
static int has_two_products(const Problem* p) { return p->kind == kSyr2k || p->kind == kHer2k; }
int is_rank_update(const Problem* p) {
  return p->kind == kSyrk || p->kind == kHerk || has_two_products(p);
}
static int is_symmetric(const Problem* p) { return p->kind == kSymm || p->kind == kHemm; }
static int order(const Problem* p) { return p->is_right ? p->n : p->m; }

static double complex conjugated(double complex number, int is_conjugated) {
  return is_conjugated ? conj(number) : number;
}

/* An element of op(A) of the problem; `at` has columns. */
static double complex element_of(const double complex* at, int leading_dimension, int op, int i,
                                 int j) {
  return conjugated(op != 0 ? at[j + i * leading_dimension] : at[i + j * leading_dimension],
                    op == 2);
}
/* An element of A, which is symmetric or triangular, or of op(A). */
static double complex own(const Problem* p, int i, int j) {
  const int row = p->op ? j : i, column = p->op ? i : j;
  const int is_stored = row == column || (row < column) == p->is_upper;
  if (is_symmetric(p) && !is_stored)
    return conjugated(p->a[column + row * p->lda], is_hermitian(p));
  if (row == column && p->is_unit) return 1;
  if (row == column && is_hermitian(p)) return creal(p->a[row + column * p->lda]);
  return is_stored ? conjugated(p->a[row + column * p->lda], p->op == 2) : 0;
}
/* An element of the product of A and `other`, in their order. */
static double complex product(const Problem* p, const double complex* other, int dimension, int i,
                              int j) {
  double complex sum = 0;
  int q;
  for (q = 0; q < order(p); q++)
    sum += p->is_right ? other[i + q * dimension] * own(p, q, j)
                       : own(p, i, q) * other[q + j * dimension];
  return sum;
}

static double complex expected(const Problem* p, const Problem* before, int i, int j) {
  const int is_adjoint = is_hermitian(p), is_real = is_rank_update(p) && is_adjoint && i == j;
  const double complex* const second = has_two_products(p) ? p->b : p->a;
  const int second_dimension = has_two_products(p) ? p->ldb : p->lda;
  double complex old = before->c[i + j * p->ldc], sum = 0, second_sum = 0;
  int q;
  old = p->beta == 0 ? 0 : p->beta * (is_real ? creal(old) : old);
  if (is_symmetric(p)) return p->alpha * product(p, before->b, p->ldb, i, j) + old;
  if (p->kind == kTrmm) return p->alpha * product(p, before->c, p->ldc, i, j);
  for (q = 0; q < p->k; q++) {
    sum += element_of(p->a, p->lda, p->op, i, q) *
           conjugated(element_of(second, second_dimension, p->op, j, q), is_adjoint);
    second_sum += element_of(second, second_dimension, p->op, i, q) *
                  conjugated(element_of(p->a, p->lda, p->op, j, q), is_adjoint);
  }
  sum *= p->alpha;
  if (has_two_products(p)) sum += conjugated(p->alpha, is_adjoint) * second_sum;
  return sum + old;
}

int is_right_result(const Problem* p, const Problem* before) {
  const int rows = is_rank_update(p) ? p->n : p->m;
  int i, j;
  for (j = 0; j < p->n; j++) {
    for (i = 0; i < p->ldc; i++) {
      const double complex *const now = &p->c[i + j * p->ldc], *const old =
                                                                   &before->c[i + j * p->ldc];
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

/* 1 or -1, or i times them. */
static double complex unit(void) {
  const int sign = 2 * drawn(0, 1) - 1;
  return drawn(0, 1) ? CMPLX(sign, 0) : CMPLX(0, sign);
}
static double complex drawn_for(const Problem* p, double complex number) {
  return p->is_complex ? number : creal(number);
}

static void draw_matrices(Problem* p, int size) {
  const double complex none = drawn_for(p, CMPLX(NAN, NAN));
  const int is_solve = p->kind == kTrsm;
  int i, j;
  for (i = 0; i < kElements; i++) {
    p->a[i] = drawn_for(p, is_solve ? unit() * (drawn(0, 8) == 0) : element());
    p->b[i] = drawn_for(p, element());
    p->c[i] = p->beta == 0 ? none : drawn_for(p, element());
  }
  if (is_rank_update(p)) {
    for (i = 0; i < p->n && is_hermitian(p); i++)
      p->c[i + i * p->ldc] = CMPLX(creal(p->c[i + i * p->ldc]), NAN);
    return;
  }
  for (j = 0; j < size; j++) {
    for (i = 0; i < size; i++) {
      double complex* const at = &p->a[i + j * p->lda];
      if (i == j && is_solve) *at = p->is_complex ? unit() : 1;
      if (i == j && is_hermitian(p)) *at = CMPLX(creal(*at), NAN);
      if (i == j ? p->is_unit : (i < j) != p->is_upper) *at = none;
    }
  }
}

void draw(Problem* p, Kind kind, int is_complex, int is_for_c, int alpha, int beta) {
  int size, is_triangular;
  memset(p, 0, sizeof *p);
  p->kind = kind;
  is_triangular = kind == kTrsm || kind == kTrmm;
  p->is_complex = is_complex;
  p->is_row_major = is_for_c && drawn(0, 1);
  p->is_right = !is_rank_update(p) && drawn(0, 1);
  p->is_upper = drawn(0, 1);
  p->op = is_symmetric(p) ? 0
          : is_triangular ? drawn(0, 2)
                          : drawn(0, 1) * (is_hermitian(p) ? 2 : 1);
  p->is_unit = is_triangular && drawn(0, 1);
  p->m = drawn(1, kMost);
  p->n = drawn(1, kMost);
  p->k = drawn(1, kMost);
  p->alpha = kind == kTrsm ? unit() : CMPLX(alpha, kind == kHerk ? 0 : drawn(-1, 1));
  p->alpha = drawn_for(p, p->alpha);
  if (p->alpha == 0) p->alpha = 1;
  p->beta = is_triangular ? 1 : beta;
  if (beta != 0 && !is_triangular && kind != kHerk && kind != kHer2k)
    p->beta = drawn_for(p, CMPLX(beta, drawn(-1, 1)));
  size = !is_rank_update(p) ? order(p) : p->op ? p->k : p->n;
  p->lda = size + drawn(0, kPadding);
  p->ldb = (is_symmetric(p) ? p->m : size) + drawn(0, kPadding);
  p->ldc = (is_rank_update(p) ? p->n : p->m) + drawn(0, kPadding);
  draw_matrices(p, size);
}
