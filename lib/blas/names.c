/* Which problems are valid, and what happens without another BLAS. */
#include <stddef.h>

#include "names.h"

static int is_valid_product(const Product* p) {
  const int64_t rows_a = p->transpose_a ? p->k : p->m, rows_b = p->transpose_b ? p->n : p->k;
  return p->m > 0 && p->n > 0 && p->k > 0 && p->alpha != 0 && p->lda >= rows_a &&
         p->ldb >= rows_b && p->ldc >= p->m;
}

static int is_valid_blocked(const Blocked* p) {
  const int64_t order = p->is_right ? p->n : p->m;
  if (p->alpha == 0 || p->n <= 0) return 0;
  if (p->kind == kSyrk || p->kind == kSyr2k) {
    const int64_t rows = p->is_transposed ? p->k : p->n;
    return p->k > 0 && p->lda >= rows && (p->kind == kSyrk || p->ldb >= rows) && p->ldc >= p->n;
  }
  return p->m > 0 && p->lda >= order && (p->kind != kSymm || p->ldb >= p->m) && p->ldc >= p->m;
}

int try_product_of_any_size(const Product* product, int is_known, Family* family, void* caller,
                            void* next) {
  Product valid = *product; /* apart from its sums, which may be empty */
  const int is_valid = is_known && is_valid_product(product);
  if (is_valid && compute(product, family, caller)) return 1;
  if (!is_valid) count_product(family->is_double, kInvalid);
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
    count_product(family->is_double, kInvalid);
    return 0;
  }
  if (valid.kind <= kSyr2k && valid.k == 0) valid.k = 1;
  if (valid.alpha == 0) valid.alpha = 1;
  if (valid.n == 0 || (valid.kind > kSyr2k && valid.m == 0)) return 1;
  if (is_known && is_valid_blocked(&valid)) {
    (void)compute_blocked(problem, family, caller, NULL);
  } else {
    complain(family->blocked[problem->kind].name, "an argument is invalid");
  }
  return 1;
}
