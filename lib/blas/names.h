/* What the names in Fortran and in C share. */
#ifndef TESSERA_BLAS_NAMES_H
#define TESSERA_BLAS_NAMES_H

#include "numbers.h"

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

/* Integers of both sizes come through the same functions. */
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || UINTPTR_MAX < UINT64_MAX
#error "libtessera-blas is for little-endian machines with 64 bits"
#endif

/* The routines of a family; `known` has kKinds + 1 tables. */
#define NAMES(before, after, known)                                                 \
  {before "gemm" after, known[kKinds]}, {                                           \
    {before "syrk" after, known[kSyrk]}, {before "syr2k" after, known[kSyr2k]},     \
        {before "herk" after, known[kHerk]}, {before "her2k" after, known[kHer2k]}, \
        {before "symm" after, known[kSymm]}, {before "hemm" after, known[kHemm]},   \
        {before "trsm" after, known[kTrsm]}, {before "trmm" after, known[kTrmm]},   \
  }

/* Whether alpha and beta are real depends on the routine. */
static inline Type type_of_alpha(Kind kind, Type type) {
  return kind == kHerk ? elements[type].part : type;
}
static inline Type type_of_beta(Kind kind, Type type) {
  return kind == kHerk || kind == kHer2k ? elements[type].part : type;
}

/* Whether a problem is done: on a device, or by plain loops where there is no other BLAS. Else the
 * other one computes it, and reports an argument that is invalid. `is_known`: the letters are. */
int try_product_of_any_size(const Product* product, int is_known, Family* family, void* caller,
                            void* next);
int try_blocked_of_any_size(const Blocked* problem, int is_known, Family* family, void* caller,
                            void* next);

/* Small problems end here. */
static inline int try_product(const Product* p, int is_known, Family* family, void* caller,
                              void* next) {
  if ((double)p->m * (double)p->n * (double)p->k < least_work[p->type] && next != 0) return 0;
  return try_product_of_any_size(p, is_known, family, caller, next);
}
static inline int try_blocked(const Blocked* p, int is_known, Family* family, void* caller,
                              void* next) {
  const double m = (double)p->m, n = (double)p->n, k = (double)p->k;
  const double work = is_rank_update(p->kind) ? n * n * k : m * n * (p->is_right ? n : m);
  if (work < 4 * least_work[p->type] && next != 0) return 0;
  return try_blocked_of_any_size(p, is_known, family, caller, next);
}

#endif
