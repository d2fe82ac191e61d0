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
/* Complex updates accept their own op only. */
static int is_update(int trans, Kind kind, Type type) {
  return trans == kNoTranspose || (!is_complex(type) && is_operation(trans)) ||
         trans == (is_hermitian(kind) ? kConjugateTranspose : kTranspose);
}
static int is_side(int side) { return side == kLeft || side == kRight; }

/* Complex scalars are passed by pointers. */
typedef const void* Pointer;
#define SIGNATURES(NAME, ALPHA, BETA)                                                            \
  typedef void ProductFunction_##NAME(int, int, int, int64_t, int64_t, int64_t, ALPHA,           \
                                      const void*, int64_t, const void*, int64_t, BETA, void*,   \
                                      int64_t);                                                  \
  typedef void SyrkFunction_##NAME(int, int, int, int64_t, int64_t, ALPHA, const void*, int64_t, \
                                   BETA, void*, int64_t);                                        \
  typedef void PairFunction_##NAME(int, int, int, int64_t, int64_t, ALPHA, const void*, int64_t, \
                                   const void*, int64_t, BETA, void*, int64_t);                  \
  typedef void TriangularFunction_##NAME(int, int, int, int, int, int64_t, int64_t, ALPHA,       \
                                         const void*, int64_t, void*, int64_t);
SIGNATURES(float, float, float)
SIGNATURES(double, double, double)
SIGNATURES(Pointer, Pointer, Pointer)
SIGNATURES(her2k_float, Pointer, float)
SIGNATURES(her2k_double, Pointer, double)

/* CALL(signature, alpha, beta) of what a type passes. */
#define WITH_SCALARS(TYPE, CALL)                                         \
  switch (TYPE) {                                                        \
    case kFloat: CALL(float, crealf(alpha), crealf(beta)); return;       \
    case kDouble: CALL(double, creal(p->alpha), creal(p->beta)); return; \
    case kComplexFloat: CALL(Pointer, &alpha, &beta); return;            \
    default: CALL(Pointer, &p->alpha, &p->beta); return;                 \
  }

static void call_product(const Product* p, void* function) {
  const int ta = kNoTranspose + (int)p->op_a, tb = kNoTranspose + (int)p->op_b;
  const float complex alpha = (float complex)p->alpha, beta = (float complex)p->beta;
#define GEMM(T, ALPHA, BETA)                                                                    \
  ((ProductFunction_##T*)function)(kColumnMajor, ta, tb, p->m, p->n, p->k, ALPHA, p->a, p->lda, \
                                   p->b, p->ldb, BETA, p->c, p->ldc)
  WITH_SCALARS(p->type, GEMM)
#undef GEMM
}

static void call_blocked(const Blocked* p, void* function) {
  const int uplo = p->is_upper ? kUpper : kLower, side = p->is_right ? kRight : kLeft;
  const int trans = kNoTranspose + (int)p->op, diag = p->is_unit ? kUnit : kNonUnit;
  const float complex alpha = (float complex)p->alpha, beta = (float complex)p->beta;
#define SYRK(T, ALPHA, BETA)                                                                      \
  ((SyrkFunction_##T*)function)(kColumnMajor, uplo, trans, p->n, p->k, ALPHA, p->a, p->lda, BETA, \
                                p->c, p->ldc)
#define SYR2K(T, ALPHA, BETA)                                                                     \
  ((PairFunction_##T*)function)(kColumnMajor, uplo, trans, p->n, p->k, ALPHA, p->a, p->lda, p->b, \
                                p->ldb, BETA, p->c, p->ldc)
#define SYMM(T, ALPHA, BETA)                                                                     \
  ((PairFunction_##T*)function)(kColumnMajor, side, uplo, p->m, p->n, ALPHA, p->a, p->lda, p->b, \
                                p->ldb, BETA, p->c, p->ldc)
#define TRSM(T, ALPHA, BETA)                                                                    \
  ((TriangularFunction_##T*)function)(kColumnMajor, side, uplo, trans, diag, p->m, p->n, ALPHA, \
                                      p->a, p->lda, p->c, p->ldc)
  switch (p->kind) {
    case kSyrk: WITH_SCALARS(p->type, SYRK)
    case kHerk: WITH_SCALARS(elements[p->type].part, SYRK)
    case kSyr2k: WITH_SCALARS(p->type, SYR2K)
    case kHer2k:
      if (p->type == kComplexFloat) {
        SYR2K(her2k_float, &alpha, crealf(beta));
      } else {
        SYR2K(her2k_double, &p->alpha, creal(p->beta));
      }
      return;
    case kSymm:
    case kHemm: WITH_SCALARS(p->type, SYMM)
    default: WITH_SCALARS(p->type, TRSM)
  }
#undef SYRK
#undef SYR2K
#undef SYMM
#undef TRSM
}

/* Adjoint and transpose of real matrices are the same. */
static Op op_of(int trans, Type type) {
  if (trans == kNoTranspose) return kPlain;
  return trans == kConjugateTranspose && is_complex(type) ? kAdjoint : kTransposed;
}

/* A row-major problem is a column-major one with other triangles and sides. */
static int is_upper(int order, int uplo) { return (uplo == kUpper) == (order == kColumnMajor); }
static int is_right(int order, int side) { return (side == kRight) == (order == kColumnMajor); }
static Op update_op(int order, int trans, Kind kind) {
  if ((trans == kNoTranspose) == (order == kColumnMajor)) return kPlain;
  return is_hermitian(kind) ? kAdjoint : kTransposed;
}

#define READ(value) integer(value, next.is_wide)

static inline void* product(Family* family, void* caller, int order, int ta, int tb, int64_t m,
                            int64_t n, int64_t k, double complex alpha, const void* a, int64_t lda,
                            const void* b, int64_t ldb, double complex beta, void* c, int64_t ldc) {
  const Next next = next_function(&family->product, family, caller);
  const int is_row_major = order == kRowMajor;
  const Product p = {family->type,
                     op_of(is_row_major ? tb : ta, family->type),
                     op_of(is_row_major ? ta : tb, family->type),
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
                                int trans, int64_t n, int64_t k, double complex alpha,
                                const void* a, int64_t lda, const void* b, int64_t ldb,
                                double complex beta, void* c, int64_t ldc) {
  const Next next = next_function(&family->blocked[kind], family, caller);
  const Blocked p = {kind, family->type, 0, is_upper(order, uplo), update_op(order, trans, kind), 0,
                     0, READ(n), READ(k), READ(lda), READ(ldb), READ(ldc),
                     /* The transpose of C has alpha in its second product. */
                     kind == kHer2k && order == kRowMajor ? conj(alpha) : alpha, beta, a, b, c};
  return try_blocked(&p, is_order(order) && is_triangle(uplo) && is_update(trans, kind, p.type),
                     family, caller, next.function)
             ? NULL
             : next.function;
}

static inline void* with_side(Kind kind, Family* family, void* caller, int order, int side,
                              int uplo, int trans, int diag, int64_t m, int64_t n,
                              double complex alpha, const void* a, int64_t lda, const void* b,
                              int64_t ldb, double complex beta, void* c, int64_t ldc) {
  const Next next = next_function(&family->blocked[kind], family, caller);
  const int is_row_major = order == kRowMajor;
  const Blocked p = {kind,
                     family->type,
                     is_right(order, side),
                     is_upper(order, uplo),
                     op_of(trans, family->type),
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

/* The values of scalars of the type, which are numbers or pointers to them. */
#define VALUE_float(TYPE, scalar) (scalar)
#define VALUE_double(TYPE, scalar) (scalar)
#define VALUE_Pointer(TYPE, scalar) number_at(TYPE, scalar, 0)

#define RANK_K(NAME, KIND, T, TYPE, FAMILY)                                                      \
  EXPORT void NAME(int order, int uplo, int trans, int64_t n, int64_t k, T alpha, const void* a, \
                   int64_t lda, T beta, void* c, int64_t ldc) {                                  \
    void* const next =                                                                           \
        rank_update(KIND, &FAMILY, CALLER, order, uplo, trans, n, k, VALUE_##T(TYPE, alpha), a,  \
                    lda, NULL, 0, VALUE_##T(TYPE, beta), c, ldc);                                \
    if (next != NULL)                                                                            \
      ((SyrkFunction_##T*)next)(order, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);          \
  }
#define RANK_2K(NAME, KIND, SIGNATURE, T, T_BETA, TYPE, FAMILY)                                   \
  EXPORT void NAME(int order, int uplo, int trans, int64_t n, int64_t k, T alpha, const void* a,  \
                   int64_t lda, const void* b, int64_t ldb, T_BETA beta, void* c, int64_t ldc) {  \
    void* const next =                                                                            \
        rank_update(KIND, &FAMILY, CALLER, order, uplo, trans, n, k, VALUE_##T(TYPE, alpha), a,   \
                    lda, b, ldb, VALUE_##T_BETA(TYPE, beta), c, ldc);                             \
    if (next != NULL)                                                                             \
      ((PairFunction_##SIGNATURE*)next)(order, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, \
                                        ldc);                                                     \
  }
#define SYMMETRIC(NAME, KIND, T, TYPE, FAMILY)                                                  \
  EXPORT void NAME(int order, int side, int uplo, int64_t m, int64_t n, T alpha, const void* a, \
                   int64_t lda, const void* b, int64_t ldb, T beta, void* c, int64_t ldc) {     \
    void* const next =                                                                          \
        with_side(KIND, &FAMILY, CALLER, order, side, uplo, kNoTranspose, kNonUnit, m, n,       \
                  VALUE_##T(TYPE, alpha), a, lda, b, ldb, VALUE_##T(TYPE, beta), c, ldc);       \
    if (next != NULL)                                                                           \
      ((PairFunction_##T*)next)(order, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);  \
  }
#define TRIANGULAR(NAME, KIND, T, TYPE, FAMILY)                                               \
  EXPORT void NAME(int order, int side, int uplo, int trans, int diag, int64_t m, int64_t n,  \
                   T alpha, const void* a, int64_t lda, void* b, int64_t ldb) {               \
    void* const next = with_side(KIND, &FAMILY, CALLER, order, side, uplo, trans, diag, m, n, \
                                 VALUE_##T(TYPE, alpha), a, lda, NULL, 0, 0, b, ldb);         \
    if (next != NULL)                                                                         \
      ((TriangularFunction_##T*)next)(order, side, uplo, trans, diag, m, n, alpha, a, lda, b, \
                                      ldb);                                                   \
  }
#define FAMILY(PREFIX, L, T, SUFFIX, TYPE, WIDTH)                                                 \
  static Known known_##PREFIX##L##SUFFIX[kKinds + 1][kKnown];                                     \
  static Family family_##PREFIX##L##SUFFIX = {                                                    \
      TYPE, WIDTH, call_product, call_blocked,                                                    \
      NAMES(#PREFIX #L, #SUFFIX, known_##PREFIX##L##SUFFIX)};                                     \
  EXPORT void PREFIX##L##gemm##SUFFIX(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, \
                                      T alpha, const void* a, int64_t lda, const void* b,         \
                                      int64_t ldb, T beta, void* c, int64_t ldc) {                \
    void* const next =                                                                            \
        product(&family_##PREFIX##L##SUFFIX, CALLER, order, ta, tb, m, n, k,                      \
                VALUE_##T(TYPE, alpha), a, lda, b, ldb, VALUE_##T(TYPE, beta), c, ldc);           \
    if (next != NULL)                                                                             \
      ((ProductFunction_##T*)next)(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);  \
  }                                                                                               \
  RANK_K(PREFIX##L##syrk##SUFFIX, kSyrk, T, TYPE, family_##PREFIX##L##SUFFIX)                     \
  RANK_2K(PREFIX##L##syr2k##SUFFIX, kSyr2k, T, T, T, TYPE, family_##PREFIX##L##SUFFIX)            \
  SYMMETRIC(PREFIX##L##symm##SUFFIX, kSymm, T, TYPE, family_##PREFIX##L##SUFFIX)                  \
  TRIANGULAR(PREFIX##L##trsm##SUFFIX, kTrsm, T, TYPE, family_##PREFIX##L##SUFFIX)                 \
  TRIANGULAR(PREFIX##L##trmm##SUFFIX, kTrmm, T, TYPE, family_##PREFIX##L##SUFFIX)
/* T: a real part. */
#define COMPLEX_FAMILY(PREFIX, L, T, SUFFIX, TYPE, WIDTH)                     \
  FAMILY(PREFIX, L, Pointer, SUFFIX, TYPE, WIDTH)                             \
  RANK_K(PREFIX##L##herk##SUFFIX, kHerk, T, TYPE, family_##PREFIX##L##SUFFIX) \
  RANK_2K(PREFIX##L##her2k##SUFFIX, kHer2k, her2k_##T, Pointer, T, TYPE,      \
          family_##PREFIX##L##SUFFIX)                                         \
  SYMMETRIC(PREFIX##L##hemm##SUFFIX, kHemm, Pointer, TYPE, family_##PREFIX##L##SUFFIX)
#define FAMILIES(PREFIX, SUFFIX, WIDTH)                          \
  FAMILY(PREFIX, s, float, SUFFIX, kFloat, WIDTH)                \
  FAMILY(PREFIX, d, double, SUFFIX, kDouble, WIDTH)              \
  COMPLEX_FAMILY(PREFIX, c, float, SUFFIX, kComplexFloat, WIDTH) \
  COMPLEX_FAMILY(PREFIX, z, double, SUFFIX, kComplexDouble, WIDTH)

FAMILIES(cblas_, , 0)
FAMILIES(cblas_, 64_, 64)
FAMILIES(cblas_, _64, 64)
FAMILIES(scipy_cblas_, , 32)
FAMILIES(scipy_cblas_, 64_, 64)
