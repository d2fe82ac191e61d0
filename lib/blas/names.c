/* Which problems are valid, and what happens without another BLAS. */
#include <stddef.h>

#include "names.h"

static int is_valid_product(const Product* p) {
  const int64_t rows_a = p->op_a == kPlain ? p->m : p->k, rows_b = p->op_b == kPlain ? p->k : p->n;
  return p->m > 0 && p->n > 0 && p->k > 0 && p->alpha != 0 && p->lda >= rows_a &&
         p->ldb >= rows_b && p->ldc >= p->m;
}

static int is_valid_blocked(const Blocked* p) {
  const int64_t order = p->is_right ? p->n : p->m;
  if (p->alpha == 0 || p->n <= 0) return 0;
  if (is_rank_update(p->kind)) {
    const int64_t rows = p->op == kPlain ? p->n : p->k;
    return p->k > 0 && p->lda >= rows && (!has_two_products(p->kind) || p->ldb >= rows) &&
           p->ldc >= p->n;
  }
  return p->m > 0 && p->lda >= order && (is_triangular(p->kind) || p->ldb >= p->m) &&
         p->ldc >= p->m;
}

int try_product_of_any_size(const Product* product, int is_known, Family* family, void* caller,
                            void* next) {
  Product valid = *product; /* apart from its sums, which may be empty */
  const int is_valid = is_known && is_valid_product(product);
  if (is_valid && compute(product, family, caller)) return 1;
  if (!is_valid) count_product(family->type, kInvalid);
  if (next != NULL) return 0;
  if (valid.k == 0 || (valid.k > 0 && valid.alpha == 0)) {
    valid.k = valid.lda = valid.ldb = INT32_MAX;
    valid.alpha = 1;
  }
  if (valid.m == 0 || valid.n == 0) return 1;
  if (is_known && is_valid_product(&valid)) {
    compute_plainly(product);
  } else {
    complain(family->product.name, "an argument is invalid");
  }
  return 1;
}

int try_blocked_of_any_size(const Blocked* problem, int is_known, Family* family, void* caller,
                            void* next) {
  Blocked valid = *problem; /* apart from its sums, which may be empty */
  if (next != NULL) {
    if (is_known && is_valid_blocked(problem))
      return compute_blocked(problem, family, caller, next);
    count_product(family->type, kInvalid);
    return 0;
  }
  if (is_rank_update(valid.kind) && valid.k == 0) valid.k = 1;
  if (valid.alpha == 0) valid.alpha = 1;
  if (valid.n == 0 || (!is_rank_update(valid.kind) && valid.m == 0)) return 1;
  if (is_known && is_valid_blocked(&valid)) {
    (void)compute_blocked(problem, family, caller, NULL);
  } else {
    complain(family->blocked[problem->kind].name, "an argument is invalid");
  }
  return 1;
}
