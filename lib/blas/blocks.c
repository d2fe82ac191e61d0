/* Routines with symmetric, Hermitian and triangular matrices. Halves of the matrix are two problems
 * of the same kind, and products between them: the large products go to the device, the problems
 * that are left to the next BLAS (Kågström, Ling, Van Loan, GEMM-based level 3 BLAS, ACM TOMS 24,
 * 1998). */
#include <stddef.h>

#include "front.h"

/* Who computes the parts. */
typedef struct Parts {
  Family* family;
  void *caller, *next, *next_product;
} Parts;

enum { kLeastHalf = 8 };

static int64_t* order_of(Blocked* p) {
  return is_rank_update(p->kind) || p->is_right ? &p->n : &p->m;
}
static int64_t order(const Blocked* p) {
  return is_rank_update(p->kind) || p->is_right ? p->n : p->m;
}

static const void* element(const Blocked* p, const void* matrix, int64_t row, int64_t column,
                           int64_t leading_dimension) {
  if (matrix == NULL) return NULL;
  return (const char*)matrix +
         (row + column * leading_dimension) * (int64_t)elements[p->type].bytes;
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
  return p->op == kPlain ? element(p, matrix, start, 0, leading_dimension)
                         : element(p, matrix, 0, start, leading_dimension);
}

/* The same problem for the first or second half. */
static Blocked diagonal(const Blocked* p, int is_second, int64_t half) {
  const int64_t start = is_second ? half : 0;
  Blocked d = *p;
  *order_of(&d) = is_second ? order(p) - half : half;
  if (is_rank_update(p->kind)) {
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
  const Product product = {p->type,
                           p->op,
                           opposite(p),
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
static Product update(const Blocked* p, int to_second, int64_t half, double complex alpha,
                      double complex beta) {
  const int64_t rest = order(p) - half, to = to_second ? half : 0, from = to_second ? 0 : half;
  const int64_t size = to_second ? rest : half, other = to_second ? half : rest;
  const void* const source = is_triangular(p->kind) ? p->c : p->b;
  const int64_t source_dimension = is_triangular(p->kind) ? p->ldc : p->ldb;
  const void* const between =
      p->is_upper ? element(p, p->a, 0, half, p->lda) : element(p, p->a, half, 0, p->lda);
  /* In a symmetric matrix, the other rectangle is the transpose of the stored one. */
  const int wants_upper = p->is_right ? to_second : !to_second;
  const Op op = is_triangular(p->kind) || wants_upper == p->is_upper ? p->op : opposite(p);
  Product product = {p->type,          op,     kPlain, size, p->n, other, p->lda,
                     source_dimension, p->ldc, alpha,  beta, NULL, NULL,  NULL};
  product.a = between;
  product.b = part(p, source, from, source_dimension);
  product.c = (void*)(uintptr_t)part(p, p->c, to, p->ldc);
  if (p->is_right) {
    product.op_a = kPlain;
    product.op_b = op;
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
  const int is_lower = p->is_upper == (p->op != kPlain);
  return is_lower == p->is_right;
}

/* The product of the largest block. */
static Product largest(const Blocked* p, int64_t half) {
  return is_rank_update(p->kind) ? rectangle(p, half, p->a, p->lda, p->a, p->lda)
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

static void solve(const Blocked* p, const Parts* parts) {
  const int64_t half = first_half(p);
  Blocked first, second;
  Product product;
  if (!is_split(p, parts)) {
    if (parts->next != NULL) {
      parts->family->call_blocked(p, parts->next);
    } else {
      compute_order_1(p);
    }
    return;
  }
  if (is_rank_update(p->kind)) {
    const int has_two = has_two_products(p->kind);
    const void* const other = has_two ? p->b : p->a;
    const int64_t other_dimension = has_two ? p->ldb : p->lda;
    first = diagonal(p, 0, half);
    second = diagonal(p, 1, half);
    solve(&first, parts);
    solve(&second, parts);
    product = rectangle(p, half, p->a, p->lda, other, other_dimension);
    multiply(&product, parts);
    if (!has_two) return;
    product = rectangle(p, half, p->b, p->ldb, p->a, p->lda);
    if (is_hermitian(p->kind)) product.alpha = conj(p->alpha);
    product.beta = 1;
    multiply(&product, parts);
    return;
  }
  if (!is_triangular(p->kind)) {
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
    count_product(p->type, outcome_of_largest(p, &parts));
    return 0;
  }
  solve(p, &parts);
  return 1;
}
