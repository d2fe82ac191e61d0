/* The names of BLAS in Fortran: netlib's with integers of 32 and 64 bits, and SciPy's. Functions
 * for batches are missing on purpose: their interfaces differ between libraries. */
#include <stddef.h>

#include "names.h"

static int is_transpose(char letter) {
  return letter == 'T' || letter == 't' || letter == 'C' || letter == 'c';
}
static int is_operation(char letter) {
  return is_transpose(letter) || letter == 'N' || letter == 'n';
}
/* Whether a letter is the given one, a capital. */
static int is(char letter, char capital) { return (letter & ~0x20) == capital; }

static int64_t integer(const void* at, int is_wide) {
  return is_wide ? *(const int64_t*)at : *(const int32_t*)at;
}
static double scalar(const void* at, int is_double) {
  return is_double ? *(const double*)at : (double)*(const float*)at;
}

/* Lengths of the letters come last. An integer of 64 bits begins with that of 32 bits. */
typedef void ProductFunction(const char*, const char*, const void*, const void*, const void*,
                             const void*, const void*, const void*, const void*, const void*,
                             const void*, void*, const void*, size_t, size_t);
typedef void SyrkFunction(const char*, const char*, const void*, const void*, const void*,
                          const void*, const void*, const void*, void*, const void*, size_t,
                          size_t);
/* Of syr2k and symm. */
typedef void PairFunction(const char*, const char*, const void*, const void*, const void*,
                          const void*, const void*, const void*, const void*, const void*, void*,
                          const void*, size_t, size_t);
typedef void TriangularFunction(const char*, const char*, const char*, const char*, const void*,
                                const void*, const void*, const void*, const void*, void*,
                                const void*, size_t, size_t, size_t, size_t);

static void call_product(const Product* p, void* function) {
  const float alpha = (float)p->alpha, beta = (float)p->beta;
  ((ProductFunction*)function)(p->transpose_a ? "T" : "N", p->transpose_b ? "T" : "N", &p->m, &p->n,
                               &p->k, p->is_double ? (const void*)&p->alpha : &alpha, p->a, &p->lda,
                               p->b, &p->ldb, p->is_double ? (const void*)&p->beta : &beta, p->c,
                               &p->ldc, 1, 1);
}

static void call_blocked(const Blocked* p, void* function) {
  const float short_alpha = (float)p->alpha, short_beta = (float)p->beta;
  const void* const alpha = p->is_double ? (const void*)&p->alpha : &short_alpha;
  const void* const beta = p->is_double ? (const void*)&p->beta : &short_beta;
  const char *const side = p->is_right ? "R" : "L", *const triangle = p->is_upper ? "U" : "L";
  const char *const operation = p->is_transposed ? "T" : "N", *const unit = p->is_unit ? "U" : "N";
  switch (p->kind) {
    case kSyrk:
      ((SyrkFunction*)function)(triangle, operation, &p->n, &p->k, alpha, p->a, &p->lda, beta, p->c,
                                &p->ldc, 1, 1);
      return;
    case kSyr2k:
      ((PairFunction*)function)(triangle, operation, &p->n, &p->k, alpha, p->a, &p->lda, p->b,
                                &p->ldb, beta, p->c, &p->ldc, 1, 1);
      return;
    case kSymm:
      ((PairFunction*)function)(side, triangle, &p->m, &p->n, alpha, p->a, &p->lda, p->b, &p->ldb,
                                beta, p->c, &p->ldc, 1, 1);
      return;
    default:
      ((TriangularFunction*)function)(side, triangle, operation, unit, &p->m, &p->n, alpha, p->a,
                                      &p->lda, p->c, &p->ldc, 1, 1, 1, 1);
  }
}

/* The letters are read once they are known to be there, and integers once their size is known. */
#define READ(at) integer(at, next.is_wide)
#define ALPHA scalar(alpha, family->is_double)
#define BETA scalar(beta, family->is_double)

static inline void product(Family* family, void* caller, const char* ta, const char* tb,
                           const void* m, const void* n, const void* k, const void* alpha,
                           const void* a, const void* lda, const void* b, const void* ldb,
                           const void* beta, void* c, const void* ldc) {
  const Next next = next_function(&family->product, family, caller);
  const Product p = {family->is_double,
                     is_transpose(*ta),
                     is_transpose(*tb),
                     READ(m),
                     READ(n),
                     READ(k),
                     READ(lda),
                     READ(ldb),
                     READ(ldc),
                     ALPHA,
                     BETA,
                     a,
                     b,
                     c};
  if (try_product(&p, is_operation(*ta) && is_operation(*tb), family, caller, next.function))
    return;
  ((ProductFunction*)next.function)(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, 1, 1);
}

static inline void syrk(Family* family, void* caller, const char* uplo, const char* trans,
                        const void* n, const void* k, const void* alpha, const void* a,
                        const void* lda, const void* beta, void* c, const void* ldc) {
  const Next next = next_function(&family->blocked[kSyrk], family, caller);
  const Blocked p = {kSyrk,
                     family->is_double,
                     0,
                     is(*uplo, 'U'),
                     is_transpose(*trans),
                     0,
                     0,
                     READ(n),
                     READ(k),
                     READ(lda),
                     0,
                     READ(ldc),
                     ALPHA,
                     BETA,
                     a,
                     NULL,
                     c};
  if (try_blocked(&p, (p.is_upper || is(*uplo, 'L')) && is_operation(*trans), family, caller,
                  next.function))
    return;
  ((SyrkFunction*)next.function)(uplo, trans, n, k, alpha, a, lda, beta, c, ldc, 1, 1);
}

/* syr2k and symm; `first` and `second` are the triangle and op, or the side and the triangle. */
static inline void pair(Kind kind, Family* family, void* caller, const char* first,
                        const char* second, const void* rows, const void* columns,
                        const void* alpha, const void* a, const void* lda, const void* b,
                        const void* ldb, const void* beta, void* c, const void* ldc) {
  const Next next = next_function(&family->blocked[kind], family, caller);
  const char* const uplo = kind == kSymm ? second : first;
  int is_known = is(*uplo, 'U') || is(*uplo, 'L');
  Blocked p = {kind,      family->is_double, 0,         is(*uplo, 'U'), 0,    0, 0, 0, 0,
               READ(lda), READ(ldb),         READ(ldc), ALPHA,          BETA, a, b, c};
  if (kind == kSymm) {
    p.is_right = is(*first, 'R');
    p.m = READ(rows);
    p.n = READ(columns);
    is_known = is_known && (p.is_right || is(*first, 'L'));
  } else {
    p.is_transposed = is_transpose(*second);
    p.n = READ(rows);
    p.k = READ(columns);
    is_known = is_known && is_operation(*second);
  }
  if (try_blocked(&p, is_known, family, caller, next.function)) return;
  ((PairFunction*)next.function)(first, second, rows, columns, alpha, a, lda, b, ldb, beta, c, ldc,
                                 1, 1);
}

static inline void triangular(Kind kind, Family* family, void* caller, const char* side,
                              const char* uplo, const char* trans, const char* diag, const void* m,
                              const void* n, const void* alpha, const void* a, const void* lda,
                              void* b, const void* ldb) {
  const Next next = next_function(&family->blocked[kind], family, caller);
  const Blocked p = {kind,
                     family->is_double,
                     is(*side, 'R'),
                     is(*uplo, 'U'),
                     is_transpose(*trans),
                     is(*diag, 'U'),
                     READ(m),
                     READ(n),
                     0,
                     READ(lda),
                     0,
                     READ(ldb),
                     ALPHA,
                     0,
                     a,
                     NULL,
                     b};
  if (try_blocked(&p,
                  (p.is_right || is(*side, 'L')) && (p.is_upper || is(*uplo, 'L')) &&
                      is_operation(*trans) && (p.is_unit || is(*diag, 'N')),
                  family, caller, next.function))
    return;
  ((TriangularFunction*)next.function)(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, 1, 1,
                                       1, 1);
}

#define PAIR(NAME, KIND, FAMILY)                                                                 \
  EXPORT void NAME(const char* first, const char* second, const void* rows, const void* columns, \
                   const void* alpha, const void* a, const void* lda, const void* b,             \
                   const void* ldb, const void* beta, void* c, const void* ldc) {                \
    pair(KIND, &FAMILY, CALLER, first, second, rows, columns, alpha, a, lda, b, ldb, beta, c,    \
         ldc);                                                                                   \
  }
#define TRIANGULAR(NAME, KIND, FAMILY)                                                       \
  EXPORT void NAME(const char* side, const char* uplo, const char* trans, const char* diag,  \
                   const void* m, const void* n, const void* alpha, const void* a,           \
                   const void* lda, void* b, const void* ldb) {                              \
    triangular(KIND, &FAMILY, CALLER, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb); \
  }
#define FAMILY(PREFIX, T, SUFFIX, IS_DOUBLE, WIDTH)                                               \
  static Known known_##PREFIX##T##SUFFIX[kKinds + 1][kKnown];                                     \
  static Family family_##PREFIX##T##SUFFIX = {                                                    \
      IS_DOUBLE, WIDTH, call_product, call_blocked,                                               \
      NAMES(#PREFIX #T, #SUFFIX, known_##PREFIX##T##SUFFIX)};                                     \
  EXPORT void PREFIX##T##gemm##SUFFIX(                                                            \
      const char* ta, const char* tb, const void* m, const void* n, const void* k,                \
      const void* alpha, const void* a, const void* lda, const void* b, const void* ldb,          \
      const void* beta, void* c, const void* ldc) {                                               \
    product(&family_##PREFIX##T##SUFFIX, CALLER, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, \
            ldc);                                                                                 \
  }                                                                                               \
  EXPORT void PREFIX##T##syrk##SUFFIX(                                                            \
      const char* uplo, const char* trans, const void* n, const void* k, const void* alpha,       \
      const void* a, const void* lda, const void* beta, void* c, const void* ldc) {               \
    syrk(&family_##PREFIX##T##SUFFIX, CALLER, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);    \
  }                                                                                               \
  PAIR(PREFIX##T##syr2k##SUFFIX, kSyr2k, family_##PREFIX##T##SUFFIX)                              \
  PAIR(PREFIX##T##symm##SUFFIX, kSymm, family_##PREFIX##T##SUFFIX)                                \
  TRIANGULAR(PREFIX##T##trsm##SUFFIX, kTrsm, family_##PREFIX##T##SUFFIX)                          \
  TRIANGULAR(PREFIX##T##trmm##SUFFIX, kTrmm, family_##PREFIX##T##SUFFIX)

FAMILY(, s, _, 0, 0)
FAMILY(, d, _, 1, 0)
FAMILY(, s, _64_, 0, 64)
FAMILY(, d, _64_, 1, 64)
FAMILY(scipy_, s, _, 0, 32)
FAMILY(scipy_, d, _, 1, 32)
FAMILY(scipy_, s, _64_, 0, 64)
FAMILY(scipy_, d, _64_, 1, 64)
