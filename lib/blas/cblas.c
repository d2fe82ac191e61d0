/* The names of BLAS in C: netlib's with integers of 32 and 64 bits, and SciPy's. */
#include <stddef.h>

#include "names.h"

enum {
  kRowMajor = 101,
  kColumnMajor = 102,
  kNoTranspose = 111,
  kTranspose = 112,
  kConjugateTranspose = 113,
  kUpper = 121,
  kLower = 122,
  kNonUnit = 131,
  kUnit = 132,
  kLeft = 141,
  kRight = 142
};

/* Integers of 32 bits come in registers or on the stack with 64 bits, the upper half undefined. */
static int64_t integer(int64_t value, int is_wide) { return is_wide ? value : (int32_t)value; }
static int is_order(int order) { return order == kRowMajor || order == kColumnMajor; }
static int is_triangle(int uplo) { return uplo == kUpper || uplo == kLower; }
static int is_operation(int trans) { return trans >= kNoTranspose && trans <= kConjugateTranspose; }
static int is_side(int side) { return side == kLeft || side == kRight; }

#define SIGNATURES(T)                                                                            \
  typedef void ProductFunction_##T(int, int, int, int64_t, int64_t, int64_t, T, const void*,     \
                                   int64_t, const void*, int64_t, T, void*, int64_t);            \
  typedef void SyrkFunction_##T(int, int, int, int64_t, int64_t, T, const void*, int64_t, T,     \
                                void*, int64_t);                                                 \
  typedef void PairFunction_##T(int, int, int, int64_t, int64_t, T, const void*, int64_t,        \
                                const void*, int64_t, T, void*, int64_t);                        \
  typedef void TriangularFunction_##T(int, int, int, int, int, int64_t, int64_t, T, const void*, \
                                      int64_t, void*, int64_t);
SIGNATURES(float)
SIGNATURES(double)

static void call_product(const Product* p, void* function) {
  const int ta = p->transpose_a ? kTranspose : kNoTranspose;
  const int tb = p->transpose_b ? kTranspose : kNoTranspose;
#define CALL(T)                                                                               \
  ((ProductFunction_##T*)function)(kColumnMajor, ta, tb, p->m, p->n, p->k, (T)p->alpha, p->a, \
                                   p->lda, p->b, p->ldb, (T)p->beta, p->c, p->ldc)
  if (p->is_double) {
    CALL(double);
  } else {
    CALL(float);
  }
#undef CALL
}

static void call_blocked(const Blocked* p, void* function) {
  const int uplo = p->is_upper ? kUpper : kLower, side = p->is_right ? kRight : kLeft;
  const int trans = p->is_transposed ? kTranspose : kNoTranspose;
  const int diag = p->is_unit ? kUnit : kNonUnit;
#define CALL(T)                                                                               \
  switch (p->kind) {                                                                          \
    case kSyrk:                                                                               \
      ((SyrkFunction_##T*)function)(kColumnMajor, uplo, trans, p->n, p->k, (T)p->alpha, p->a, \
                                    p->lda, (T)p->beta, p->c, p->ldc);                        \
      return;                                                                                 \
    case kSyr2k:                                                                              \
      ((PairFunction_##T*)function)(kColumnMajor, uplo, trans, p->n, p->k, (T)p->alpha, p->a, \
                                    p->lda, p->b, p->ldb, (T)p->beta, p->c, p->ldc);          \
      return;                                                                                 \
    case kSymm:                                                                               \
      ((PairFunction_##T*)function)(kColumnMajor, side, uplo, p->m, p->n, (T)p->alpha, p->a,  \
                                    p->lda, p->b, p->ldb, (T)p->beta, p->c, p->ldc);          \
      return;                                                                                 \
    default:                                                                                  \
      ((TriangularFunction_##T*)function)(kColumnMajor, side, uplo, trans, diag, p->m, p->n,  \
                                          (T)p->alpha, p->a, p->lda, p->c, p->ldc);           \
  }
  if (p->is_double) {
    CALL(double)
  } else {
    CALL(float)
  }
#undef CALL
}

/* A row-major problem is a column-major one with other triangles and sides. */
static int is_upper(int order, int uplo) { return (uplo == kUpper) == (order == kColumnMajor); }
static int is_right(int order, int side) { return (side == kRight) == (order == kColumnMajor); }
static int is_transposed(int order, int trans) {
  return (trans != kNoTranspose) == (order == kColumnMajor);
}

#define READ(value) integer(value, next.is_wide)

static inline void* product(Family* family, void* caller, int order, int ta, int tb, int64_t m,
                            int64_t n, int64_t k, double alpha, const void* a, int64_t lda,
                            const void* b, int64_t ldb, double beta, void* c, int64_t ldc) {
  const Next next = next_function(&family->product, family, caller);
  const int is_row_major = order == kRowMajor;
  const Product p = {family->is_double,
                     (is_row_major ? tb : ta) != kNoTranspose,
                     (is_row_major ? ta : tb) != kNoTranspose,
                     READ(is_row_major ? n : m),
                     READ(is_row_major ? m : n),
                     READ(k),
                     READ(is_row_major ? ldb : lda),
                     READ(is_row_major ? lda : ldb),
                     READ(ldc),
                     alpha,
                     beta,
                     is_row_major ? b : a,
                     is_row_major ? a : b,
                     c};
  return try_product(&p, is_order(order) && is_operation(ta) && is_operation(tb), family, caller,
                     next.function)
             ? NULL
             : next.function;
}

static inline void* rank_update(Kind kind, Family* family, void* caller, int order, int uplo,
                                int trans, int64_t n, int64_t k, double alpha, const void* a,
                                int64_t lda, const void* b, int64_t ldb, double beta, void* c,
                                int64_t ldc) {
  const Next next = next_function(&family->blocked[kind], family, caller);
  const Blocked p = {kind,
                     family->is_double,
                     0,
                     is_upper(order, uplo),
                     is_transposed(order, trans),
                     0,
                     0,
                     READ(n),
                     READ(k),
                     READ(lda),
                     READ(ldb),
                     READ(ldc),
                     alpha,
                     beta,
                     a,
                     b,
                     c};
  return try_blocked(&p, is_order(order) && is_triangle(uplo) && is_operation(trans), family,
                     caller, next.function)
             ? NULL
             : next.function;
}

static inline void* with_side(Kind kind, Family* family, void* caller, int order, int side,
                              int uplo, int trans, int diag, int64_t m, int64_t n, double alpha,
                              const void* a, int64_t lda, const void* b, int64_t ldb, double beta,
                              void* c, int64_t ldc) {
  const Next next = next_function(&family->blocked[kind], family, caller);
  const int is_row_major = order == kRowMajor;
  const Blocked p = {kind,
                     family->is_double,
                     is_right(order, side),
                     is_upper(order, uplo),
                     trans != kNoTranspose,
                     diag == kUnit,
                     READ(is_row_major ? n : m),
                     READ(is_row_major ? m : n),
                     0,
                     READ(lda),
                     READ(ldb),
                     READ(ldc),
                     alpha,
                     beta,
                     a,
                     b,
                     c};
  return try_blocked(&p,
                     is_order(order) && is_side(side) && is_triangle(uplo) && is_operation(trans) &&
                         (diag == kUnit || diag == kNonUnit),
                     family, caller, next.function)
             ? NULL
             : next.function;
}

#define TRIANGULAR(NAME, KIND, T, FAMILY)                                                     \
  EXPORT void NAME(int order, int side, int uplo, int trans, int diag, int64_t m, int64_t n,  \
                   T alpha, const void* a, int64_t lda, void* b, int64_t ldb) {               \
    void* const next = with_side(KIND, &FAMILY, CALLER, order, side, uplo, trans, diag, m, n, \
                                 alpha, a, lda, NULL, 0, 0, b, ldb);                          \
    if (next != NULL)                                                                         \
      ((TriangularFunction_##T*)next)(order, side, uplo, trans, diag, m, n, alpha, a, lda, b, \
                                      ldb);                                                   \
  }
#define FAMILY(PREFIX, L, T, SUFFIX, IS_DOUBLE, WIDTH)                                             \
  static Known known_##PREFIX##L##SUFFIX[kKinds + 1][kKnown];                                      \
  static Family family_##PREFIX##L##SUFFIX = {                                                     \
      IS_DOUBLE, WIDTH, call_product, call_blocked,                                                \
      NAMES(#PREFIX #L, #SUFFIX, known_##PREFIX##L##SUFFIX)};                                      \
  EXPORT void PREFIX##L##gemm##SUFFIX(int order, int ta, int tb, int64_t m, int64_t n, int64_t k,  \
                                      T alpha, const void* a, int64_t lda, const void* b,          \
                                      int64_t ldb, T beta, void* c, int64_t ldc) {                 \
    void* const next = product(&family_##PREFIX##L##SUFFIX, CALLER, order, ta, tb, m, n, k, alpha, \
                               a, lda, b, ldb, beta, c, ldc);                                      \
    if (next != NULL)                                                                              \
      ((ProductFunction_##T*)next)(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);   \
  }                                                                                                \
  EXPORT void PREFIX##L##syrk##SUFFIX(int order, int uplo, int trans, int64_t n, int64_t k,        \
                                      T alpha, const void* a, int64_t lda, T beta, void* c,        \
                                      int64_t ldc) {                                               \
    void* const next = rank_update(kSyrk, &family_##PREFIX##L##SUFFIX, CALLER, order, uplo, trans, \
                                   n, k, alpha, a, lda, NULL, 0, beta, c, ldc);                    \
    if (next != NULL)                                                                              \
      ((SyrkFunction_##T*)next)(order, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);            \
  }                                                                                                \
  EXPORT void PREFIX##L##syr2k##SUFFIX(int order, int uplo, int trans, int64_t n, int64_t k,       \
                                       T alpha, const void* a, int64_t lda, const void* b,         \
                                       int64_t ldb, T beta, void* c, int64_t ldc) {                \
    void* const next = rank_update(kSyr2k, &family_##PREFIX##L##SUFFIX, CALLER, order, uplo,       \
                                   trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);              \
    if (next != NULL)                                                                              \
      ((PairFunction_##T*)next)(order, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);    \
  }                                                                                                \
  EXPORT void PREFIX##L##symm##SUFFIX(int order, int side, int uplo, int64_t m, int64_t n,         \
                                      T alpha, const void* a, int64_t lda, const void* b,          \
                                      int64_t ldb, T beta, void* c, int64_t ldc) {                 \
    void* const next =                                                                             \
        with_side(kSymm, &family_##PREFIX##L##SUFFIX, CALLER, order, side, uplo, kNoTranspose,     \
                  kNonUnit, m, n, alpha, a, lda, b, ldb, beta, c, ldc);                            \
    if (next != NULL)                                                                              \
      ((PairFunction_##T*)next)(order, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);     \
  }                                                                                                \
  TRIANGULAR(PREFIX##L##trsm##SUFFIX, kTrsm, T, family_##PREFIX##L##SUFFIX)                        \
  TRIANGULAR(PREFIX##L##trmm##SUFFIX, kTrmm, T, family_##PREFIX##L##SUFFIX)

FAMILY(cblas_, s, float, , 0, 0)
FAMILY(cblas_, d, double, , 1, 0)
FAMILY(cblas_, s, float, 64_, 0, 64)
FAMILY(cblas_, d, double, 64_, 1, 64)
FAMILY(cblas_, s, float, _64, 0, 64)
FAMILY(cblas_, d, double, _64, 1, 64)
FAMILY(scipy_cblas_, s, float, , 0, 32)
FAMILY(scipy_cblas_, d, double, , 1, 32)
FAMILY(scipy_cblas_, s, float, 64_, 0, 64)
FAMILY(scipy_cblas_, d, double, 64_, 1, 64)
