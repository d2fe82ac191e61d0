/* The names of BLAS in Fortran: netlib's with integers of 32 and 64 bits, and SciPy's. Functions
 * for batches are missing on purpose: their interfaces differ between libraries. */
#include <stddef.h>

#include "names.h"

/* Whether a letter is the given one, a capital. */
static int is(char letter, char capital) { return (letter & ~0x20) == capital; }

static int64_t integer(const void* at, int is_wide) {
  return is_wide ? *(const int64_t*)at : *(const int32_t*)at;
}
/* Adjoint and transpose of real matrices are the same. */
static Op op_of(char letter, Type type) {
  if (is(letter, 'N')) return kPlain;
  return is(letter, 'C') && is_complex(type) ? kAdjoint : kTransposed;
}
static int is_operation(char letter) {
  return is(letter, 'N') || is(letter, 'T') || is(letter, 'C');
}
/* Complex updates accept the letter of their own op only. */
static int is_update(char letter, Kind kind, Type type) {
  return is(letter, 'N') || (!is_complex(type) && is_operation(letter)) ||
         is(letter, is_hermitian(kind) ? 'C' : 'T');
}

/* Lengths of the letters come last. An integer of 64 bits begins with that of 32 bits. */
typedef void ProductFunction(const char*, const char*, const void*, const void*, const void*,
                             const void*, const void*, const void*, const void*, const void*,
                             const void*, void*, const void*, size_t, size_t);
typedef void SyrkFunction(const char*, const char*, const void*, const void*, const void*,
                          const void*, const void*, const void*, void*, const void*, size_t,
                          size_t);
/* Of syr2k, her2k, symm and hemm. */
typedef void PairFunction(const char*, const char*, const void*, const void*, const void*,
                          const void*, const void*, const void*, const void*, const void*, void*,
                          const void*, size_t, size_t);
typedef void TriangularFunction(const char*, const char*, const char*, const char*, const void*,
                                const void*, const void*, const void*, const void*, void*,
                                const void*, size_t, size_t, size_t, size_t);

static const char* letter_of(Op op) { return &"N\0T\0C"[2 * op]; }

static void call_product(const Product* p, void* function) {
  double complex alpha, beta;
  put_number(p->type, &alpha, 0, p->alpha);
  put_number(p->type, &beta, 0, p->beta);
  ((ProductFunction*)function)(letter_of(p->op_a), letter_of(p->op_b), &p->m, &p->n, &p->k, &alpha,
                               p->a, &p->lda, p->b, &p->ldb, &beta, p->c, &p->ldc, 1, 1);
}

static void call_blocked(const Blocked* p, void* function) {
  double complex alpha, beta; /* a real one is the first part of a complex one */
  const char *const side = p->is_right ? "R" : "L", *const triangle = p->is_upper ? "U" : "L";
  const char *const operation = letter_of(p->op), *const unit = p->is_unit ? "U" : "N";
  put_number(p->type, &alpha, 0, p->alpha);
  put_number(p->type, &beta, 0, p->beta);
  switch (p->kind) {
    case kSyrk:
    case kHerk:
      ((SyrkFunction*)function)(triangle, operation, &p->n, &p->k, &alpha, p->a, &p->lda, &beta,
                                p->c, &p->ldc, 1, 1);
      return;
    case kSyr2k:
    case kHer2k:
      ((PairFunction*)function)(triangle, operation, &p->n, &p->k, &alpha, p->a, &p->lda, p->b,
                                &p->ldb, &beta, p->c, &p->ldc, 1, 1);
      return;
    case kSymm:
    case kHemm:
      ((PairFunction*)function)(side, triangle, &p->m, &p->n, &alpha, p->a, &p->lda, p->b, &p->ldb,
                                &beta, p->c, &p->ldc, 1, 1);
      return;
    default:
      ((TriangularFunction*)function)(side, triangle, operation, unit, &p->m, &p->n, &alpha, p->a,
                                      &p->lda, p->c, &p->ldc, 1, 1, 1, 1);
  }
}

/* The letters are read once they are known to be there, and integers once their size is known. */
#define READ(at) integer(at, next.is_wide)
#define ALPHA number_at(type_of_alpha(kind, family->type), alpha, 0)
#define BETA number_at(type_of_beta(kind, family->type), beta, 0)

static inline void product(Family* family, void* caller, const char* ta, const char* tb,
                           const void* m, const void* n, const void* k, const void* alpha,
                           const void* a, const void* lda, const void* b, const void* ldb,
                           const void* beta, void* c, const void* ldc) {
  const Next next = next_function(&family->product, family, caller);
  const Product p = {family->type,
                     op_of(*ta, family->type),
                     op_of(*tb, family->type),
                     READ(m),
                     READ(n),
                     READ(k),
                     READ(lda),
                     READ(ldb),
                     READ(ldc),
                     number_at(family->type, alpha, 0),
                     number_at(family->type, beta, 0),
                     a,
                     b,
                     c};
  if (try_product(&p, is_operation(*ta) && is_operation(*tb), family, caller, next.function))
    return;
  ((ProductFunction*)next.function)(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, 1, 1);
}

/* syrk and herk. */
static inline void update(Kind kind, Family* family, void* caller, const char* uplo,
                          const char* trans, const void* n, const void* k, const void* alpha,
                          const void* a, const void* lda, const void* beta, void* c,
                          const void* ldc) {
  const Next next = next_function(&family->blocked[kind], family, caller);
  const Blocked p = {kind,
                     family->type,
                     0,
                     is(*uplo, 'U'),
                     op_of(*trans, family->type),
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
  if (try_blocked(&p, (p.is_upper || is(*uplo, 'L')) && is_update(*trans, kind, p.type), family,
                  caller, next.function))
    return;
  ((SyrkFunction*)next.function)(uplo, trans, n, k, alpha, a, lda, beta, c, ldc, 1, 1);
}

/* syr2k, her2k, symm and hemm; `first` and `second` are the triangle and op, or the side and the
 * triangle. */
static inline void pair(Kind kind, Family* family, void* caller, const char* first,
                        const char* second, const void* rows, const void* columns,
                        const void* alpha, const void* a, const void* lda, const void* b,
                        const void* ldb, const void* beta, void* c, const void* ldc) {
  const Next next = next_function(&family->blocked[kind], family, caller);
  const char* const uplo = is_rank_update(kind) ? first : second;
  int is_known = is(*uplo, 'U') || is(*uplo, 'L');
  Blocked p = {kind,      family->type, 0,         is(*uplo, 'U'), kPlain, 0, 0, 0, 0,
               READ(lda), READ(ldb),    READ(ldc), ALPHA,          BETA,   a, b, c};
  if (!is_rank_update(kind)) {
    p.is_right = is(*first, 'R');
    p.m = READ(rows);
    p.n = READ(columns);
    is_known = is_known && (p.is_right || is(*first, 'L'));
  } else {
    p.op = op_of(*second, p.type);
    p.n = READ(rows);
    p.k = READ(columns);
    is_known = is_known && is_update(*second, kind, p.type);
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
                     family->type,
                     is(*side, 'R'),
                     is(*uplo, 'U'),
                     op_of(*trans, family->type),
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

#define UPDATE(NAME, KIND, FAMILY)                                                               \
  EXPORT void NAME(const char* uplo, const char* trans, const void* n, const void* k,            \
                   const void* alpha, const void* a, const void* lda, const void* beta, void* c, \
                   const void* ldc) {                                                            \
    update(KIND, &FAMILY, CALLER, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);               \
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
#define FAMILY(PREFIX, T, SUFFIX, TYPE, WIDTH)                                                    \
  static Known known_##PREFIX##T##SUFFIX[kKinds + 1][kKnown];                                     \
  static Family family_##PREFIX##T##SUFFIX = {                                                    \
      TYPE, WIDTH, call_product, call_blocked,                                                    \
      NAMES(#PREFIX #T, #SUFFIX, known_##PREFIX##T##SUFFIX)};                                     \
  EXPORT void PREFIX##T##gemm##SUFFIX(                                                            \
      const char* ta, const char* tb, const void* m, const void* n, const void* k,                \
      const void* alpha, const void* a, const void* lda, const void* b, const void* ldb,          \
      const void* beta, void* c, const void* ldc) {                                               \
    product(&family_##PREFIX##T##SUFFIX, CALLER, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, \
            ldc);                                                                                 \
  }                                                                                               \
  UPDATE(PREFIX##T##syrk##SUFFIX, kSyrk, family_##PREFIX##T##SUFFIX)                              \
  PAIR(PREFIX##T##syr2k##SUFFIX, kSyr2k, family_##PREFIX##T##SUFFIX)                              \
  PAIR(PREFIX##T##symm##SUFFIX, kSymm, family_##PREFIX##T##SUFFIX)                                \
  TRIANGULAR(PREFIX##T##trsm##SUFFIX, kTrsm, family_##PREFIX##T##SUFFIX)                          \
  TRIANGULAR(PREFIX##T##trmm##SUFFIX, kTrmm, family_##PREFIX##T##SUFFIX)

#define COMPLEX_FAMILY(PREFIX, T, SUFFIX, TYPE, WIDTH)               \
  FAMILY(PREFIX, T, SUFFIX, TYPE, WIDTH)                             \
  UPDATE(PREFIX##T##herk##SUFFIX, kHerk, family_##PREFIX##T##SUFFIX) \
  PAIR(PREFIX##T##her2k##SUFFIX, kHer2k, family_##PREFIX##T##SUFFIX) \
  PAIR(PREFIX##T##hemm##SUFFIX, kHemm, family_##PREFIX##T##SUFFIX)

#define FAMILIES(PREFIX, SUFFIX, WIDTH)                   \
  FAMILY(PREFIX, s, SUFFIX, kFloat, WIDTH)                \
  FAMILY(PREFIX, d, SUFFIX, kDouble, WIDTH)               \
  COMPLEX_FAMILY(PREFIX, c, SUFFIX, kComplexFloat, WIDTH) \
  COMPLEX_FAMILY(PREFIX, z, SUFFIX, kComplexDouble, WIDTH)

FAMILIES(, _, 0)
FAMILIES(, _64_, 64)
FAMILIES(scipy_, _, 32)
FAMILIES(scipy_, _64_, 64)
