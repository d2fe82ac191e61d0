/* Routines with symmetric and triangular matrices. Halves of the matrix are two problems of the
 * same kind, and products between them: the large products go to the device, the problems that are
 * left to the next BLAS (Kågström, Ling, Van Loan, GEMM-based level 3 BLAS, ACM TOMS 24, 1998). */
#include <stddef.h>

#include "front.h"

/* Who computes the parts. */
typedef struct Parts {
  Family* family;
  void *caller, *next, *next_product;
} Parts;

enum { kLeastHalf = 8 };

static int is_rank_update(const Blocked* p) { return p->kind == kSyrk || p->kind == kSyr2k; }

static int64_t* order_of(Blocked* p) { return is_rank_update(p) || p->is_right ? &p->n : &p->m; }
static int64_t order(const Blocked* p) { return is_rank_update(p) || p->is_right ? p->n : p->m; }

static const void* element(const Blocked* p, const void* matrix, int64_t row, int64_t column,
                           int64_t leading_dimension) {
  if (matrix == NULL) return NULL;
  return (const char*)matrix + (row + column * leading_dimension) * (p->is_double ? 8 : 4);
}

static int64_t first_half(const Blocked* p) {
  const int64_t half = (order(p) + 1) / 2;
  return half < 64 ? half : half / 64 * 64; /* kernels like aligned rows */
}

/* Rows or columns from `start` on of what the matrix A is multiplied by, or of the result. */
static const void* part(const Blocked* p, const void* matrix, int64_t start,
                        int64_t leading_dimension) {
  return p->is_right ? element(p, matrix, 0, start, leading_dimension)
                     : element(p, matrix, start, 0, leading_dimension);
}
/* Rows from `start` on of op(A) or op(B) in a rank update. */
static const void* rows(const Blocked* p, const void* matrix, int64_t start,
                        int64_t leading_dimension) {
  return p->is_transposed ? element(p, matrix, 0, start, leading_dimension)
                          : element(p, matrix, start, 0, leading_dimension);
}

/* The same problem for the first or second half. */
static Blocked diagonal(const Blocked* p, int is_second, int64_t half) {
  const int64_t start = is_second ? half : 0;
  Blocked d = *p;
  *order_of(&d) = is_second ? order(p) - half : half;
  if (is_rank_update(p)) {
    d.a = rows(p, p->a, start, p->lda);
    d.b = rows(p, p->b, start, p->ldb);
    d.c = (void*)(uintptr_t)element(p, p->c, start, start, p->ldc);
  } else {
    d.a = element(p, p->a, start, start, p->lda);
    d.b = part(p, p->b, start, p->ldb);
    d.c = (void*)(uintptr_t)part(p, p->c, start, p->ldc);
  }
  return d;
}

/* The rectangle of a rank update's triangle: a product of the rows of one matrix and of another. */
static Product rectangle(const Blocked* p, int64_t half, const void* left, int64_t left_dimension,
                         const void* right, int64_t right_dimension) {
  const int64_t rest = p->n - half, down = p->is_upper ? 0 : half, across = p->is_upper ? half : 0;
  const Product product = {p->is_double,
                           p->is_transposed,
                           !p->is_transposed,
                           p->is_upper ? half : rest,
                           p->is_upper ? rest : half,
                           p->k,
                           left_dimension,
                           right_dimension,
                           p->ldc,
                           p->alpha,
                           p->beta,
                           rows(p, left, down, left_dimension),
                           rows(p, right, across, right_dimension),
                           (void*)(uintptr_t)element(p, p->c, down, across, p->ldc)};
  return product;
}

/* What one half of the source adds to the other half of C: a product with the rectangle of A
 * between them. */
static Product update(const Blocked* p, int to_second, int64_t half, double alpha, double beta) {
  const int64_t rest = order(p) - half, to = to_second ? half : 0, from = to_second ? 0 : half;
  const int64_t size = to_second ? rest : half, other = to_second ? half : rest;
  const void* const source = p->kind == kSymm ? p->b : p->c;
  const int64_t source_dimension = p->kind == kSymm ? p->ldb : p->ldc;
  const void* const between =
      p->is_upper ? element(p, p->a, 0, half, p->lda) : element(p, p->a, half, 0, p->lda);
  /* In a symmetric matrix, the other rectangle is the transpose of the stored one. */
  const int wants_upper = p->is_right ? to_second : !to_second;
  const int turned = p->kind == kSymm ? wants_upper != p->is_upper : p->is_transposed;
  Product product = {p->is_double,     turned, 0,     size, p->n, other, p->lda,
                     source_dimension, p->ldc, alpha, beta, NULL, NULL,  NULL};
  product.a = between;
  product.b = part(p, source, from, source_dimension);
  product.c = (void*)(uintptr_t)part(p, p->c, to, p->ldc);
  if (p->is_right) {
    product.transpose_a = 0;
    product.transpose_b = turned;
    product.m = p->m;
    product.n = size;
    product.lda = source_dimension;
    product.ldb = p->lda;
    product.a = product.b;
    product.b = between;
  }
  return product;
}

/* The half of a triangular problem that is independent of the other one in trsm; in trmm, the other
 * one is independent of it. */
static int is_second_first(const Blocked* p) {
  const int is_lower = p->is_upper == p->is_transposed;
  return is_lower == p->is_right;
}

/* The product of the largest block. */
static Product largest(const Blocked* p, int64_t half) {
  return is_rank_update(p) ? rectangle(p, half, p->a, p->lda, p->a, p->lda)
                           : update(p, !is_second_first(p), half, p->alpha, 1);
}

static void multiply(const Product* product, const Parts* parts) {
  if (compute(product, parts->family, parts->caller)) return;
  if (parts->next_product != NULL) {
    parts->family->call_product(product, parts->next_product);
  } else {
    compute_plainly(product);
  }
}

static Outcome outcome_of_largest(const Blocked* p, const Parts* parts) {
  const int64_t half = first_half(p);
  const Product product = largest(p, half);
  return half < kLeastHalf ? kSmall : outcome_of(&product, parts->family, parts->caller);
}

static int is_split(const Blocked* p, const Parts* parts) {
  return parts->next == NULL ? order(p) > 1 : outcome_of_largest(p, parts) == kOnDevice;
}

/* A problem of order 1, where there is no other BLAS: A is a number. */
static void compute_number(const Blocked* p) {
  const int64_t step = p->is_right ? 1 : p->ldc, count = p->is_right ? p->m : p->n;
  double factor = p->alpha, a = 1;
  int64_t i;
  if (is_rank_update(p)) {
    Product product = {
        p->is_double, p->is_transposed, !p->is_transposed, 1,       1,    p->k, p->lda,
        p->lda,       p->ldc,           p->alpha,          p->beta, p->a, p->a, p->c};
    if (p->kind == kSyr2k) {
      product.b = p->b;
      product.ldb = p->ldb;
      product.alpha = 2 * p->alpha;
    }
    compute_plainly(&product);
    return;
  }
  if (p->kind == kSymm) {
    const Product product = {p->is_double,
                             0,
                             0,
                             p->m,
                             p->n,
                             1,
                             p->is_right ? p->ldb : p->lda,
                             p->is_right ? p->lda : p->ldb,
                             p->ldc,
                             p->alpha,
                             p->beta,
                             p->is_right ? p->b : p->a,
                             p->is_right ? p->a : p->b,
                             p->c};
    compute_plainly(&product);
    return;
  }
  if (!p->is_unit && p->alpha != 0)
    a = p->is_double ? *(const double*)p->a : (double)*(const float*)p->a;
  factor = p->kind == kTrmm ? p->alpha * a : p->alpha / a;
  for (i = 0; i < count; i++) {
    if (p->is_double) {
      double* const c = (double*)p->c + i * step;
      *c = p->alpha == 0 ? 0 : *c * factor;
    } else {
      float* const c = (float*)p->c + i * step;
      *c = p->alpha == 0 ? 0 : (float)(*c * factor);
    }
  }
}

static void solve(const Blocked* p, const Parts* parts) {
  const int64_t half = first_half(p);
  Blocked first, second;
  Product product;
  if (!is_split(p, parts)) {
    if (parts->next != NULL) {
      parts->family->call_blocked(p, parts->next);
    } else {
      compute_number(p);
    }
    return;
  }
  if (is_rank_update(p)) {
    const void* const other = p->kind == kSyrk ? p->a : p->b;
    const int64_t other_dimension = p->kind == kSyrk ? p->lda : p->ldb;
    first = diagonal(p, 0, half);
    second = diagonal(p, 1, half);
    solve(&first, parts);
    solve(&second, parts);
    product = rectangle(p, half, p->a, p->lda, other, other_dimension);
    multiply(&product, parts);
    if (p->kind == kSyrk) return;
    product = rectangle(p, half, p->b, p->ldb, p->a, p->lda);
    product.beta = 1;
    multiply(&product, parts);
    return;
  }
  if (p->kind == kSymm) {
    int i;
    for (i = 0; i < 2; i++) {
      first = diagonal(p, i, half);
      solve(&first, parts);
      product = update(p, i, half, p->alpha, 1);
      multiply(&product, parts);
    }
    return;
  }
  first = diagonal(p, is_second_first(p), half);
  second = diagonal(p, !is_second_first(p), half);
  if (p->kind == kTrsm) {
    solve(&first, parts);
    product = update(p, !is_second_first(p), half, -1, p->alpha);
    multiply(&product, parts);
    second.alpha = 1;
    solve(&second, parts);
  } else {
    solve(&second, parts);
    product = update(p, !is_second_first(p), half, p->alpha, 1);
    multiply(&product, parts);
    solve(&first, parts);
  }
}

int compute_blocked(const Blocked* p, Family* family, void* caller, void* next) {
  const Parts parts = {family, caller, next,
                       next_function(&family->product, family, caller).function};
  if (next != NULL && !is_split(p, &parts)) {
    count_product(p->is_double, outcome_of_largest(p, &parts));
    return 0;
  }
  solve(p, &parts);
  return 1;
}
