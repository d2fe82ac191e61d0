/* Problems with symmetric, Hermitian and triangular matrices, drawn at random. */
#ifndef TESSERA_TESTS_BLAS_BLOCKED_PROBLEM_H
#define TESSERA_TESTS_BLAS_BLOCKED_PROBLEM_H

#include "client.h"

enum { kMost = 40, kPadding = 3, kElements = (kMost + kPadding) * (kMost + kPadding) };
typedef enum Kind { kSyrk, kSyr2k, kSymm, kTrsm, kTrmm, kHerk, kHer2k, kHemm, kKinds } Kind;

typedef struct Problem {
  Kind kind;
  int is_complex, is_row_major; /* is_row_major: for C */
  int is_right, is_upper, is_unit;
  int op; /* 0, 1 for the transpose or 2 for the adjoint */
  int m, n, k, lda, ldb, ldc;
  double complex alpha, beta;
  double complex a[kElements], b[kElements], c[kElements];
} Problem;

int is_hermitian(const Problem* p);
int is_rank_update(const Problem* p);
/* What a routine must not read is NaN. */
void draw(Problem* p, Kind kind, int is_complex, int is_for_c, int alpha, int beta);
/* Compares each element, and what the routine must not write. */
int is_right_result(const Problem* p, const Problem* before);

#endif
