/* Plain loops, where there is no other BLAS. */
#include "numbers.h"

/* An element of op(A). */
static double complex element_of(Type type, const void* matrix, Op op, int64_t leading_dimension,
                                 int64_t row, int64_t column) {
  const int64_t at =
      op == kPlain ? row + column * leading_dimension : column + row * leading_dimension;
  const double complex element = number_at(type, matrix, at);
  return op == kAdjoint ? conj(element) : element;
}

void compute_plainly(const Product* p) {
  int64_t i, j, q;
  for (j = 0; j < p->n; j++) {
    for (i = 0; i < p->m; i++) {
      const int64_t at = i + j * p->ldc;
      double complex sum = 0;
      for (q = 0; q < p->k && p->alpha != 0; q++)
        sum += element_of(p->type, p->a, p->op_a, p->lda, i, q) *
               element_of(p->type, p->b, p->op_b, p->ldb, q, j);
      sum *= p->alpha;
      if (p->beta != 0) sum += p->beta * number_at(p->type, p->c, at);
      put_number(p->type, p->c, at, sum);
    }
  }
}

static void drop_imaginary_part(const Blocked* p) {
  if (is_hermitian(p->kind)) put_number(p->type, p->c, 0, creal(number_at(p->type, p->c, 0)));
}

static void update_number(const Blocked* p) {
  Product product = {p->type, p->op,  opposite(p), 1,       1,    p->k, p->lda,
                     p->lda,  p->ldc, p->alpha,    p->beta, p->a, p->a, p->c};
  drop_imaginary_part(p);
  if (has_two_products(p->kind)) {
    product.b = p->b;
    product.ldb = p->ldb;
    compute_plainly(&product);
    product.a = p->b;
    product.lda = p->ldb;
    product.b = p->a;
    product.ldb = p->lda;
    product.alpha = is_hermitian(p->kind) ? conj(p->alpha) : p->alpha;
    product.beta = 1;
  }
  compute_plainly(&product);
  drop_imaginary_part(p);
}

/* The imaginary part of a Hermitian matrix's diagonal is not read. */
static void multiply_by_number(const Blocked* p) {
  Product product = {p->type, kPlain, kPlain,   p->m,    p->n, 1,    1,
                     1,       p->ldc, p->alpha, p->beta, NULL, NULL, p->c};
  double complex a = number_at(p->type, p->a, 0), stored;
  put_number(p->type, &stored, 0, is_hermitian(p->kind) ? creal(a) : a);
  product.a = p->is_right ? p->b : &stored;
  product.b = p->is_right ? &stored : p->b;
  if (p->is_right) {
    product.lda = p->ldb;
  } else {
    product.ldb = p->ldb;
  }
  compute_plainly(&product);
}

void compute_order_1(const Blocked* p) {
  const int64_t step = p->is_right ? 1 : p->ldc, count = p->is_right ? p->m : p->n;
  double complex a = 1;
  int64_t i;
  if (is_rank_update(p->kind)) {
    update_number(p);
    return;
  }
  if (!is_triangular(p->kind)) {
    multiply_by_number(p);
    return;
  }
  if (!p->is_unit && p->alpha != 0) a = element_of(p->type, p->a, p->op, p->lda, 0, 0);
  for (i = 0; i < count; i++) {
    const double complex scaled = p->alpha * number_at(p->type, p->c, i * step);
    put_number(p->type, p->c, i * step,
               p->alpha == 0      ? 0
               : p->kind == kTrmm ? scaled * a
                                  : scaled / a);
  }
}
