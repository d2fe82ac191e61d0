/* Routines with symmetric, Hermitian and triangular matrices, by every name. */
#include <stddef.h>
#include <stdint.h>

#include "blocked_problem.h"

/* The arguments of a row-major problem are those of the column-major one of the transposes. */
#define TRIANGLE(p) ((p)->is_upper != (p)->is_row_major)
#define SIDE(p) ((p)->is_right != (p)->is_row_major)
#define ROWS(p) ((p)->is_row_major ? n : m)
#define COLUMNS(p) ((p)->is_row_major ? m : n)
/* Real updates accept the adjoint for the transpose. */
static int update_op(const Problem* p) {
  const int op = p->is_row_major ? (p->op == 0 ? (is_hermitian(p) ? 2 : 1) : 0) : p->op;
  return op == 1 && !p->is_complex ? drawn(1, 2) : op;
}

#define RANK_K(L, R, S, T, INT)                                                         \
  void L##R##S(const char*, const char*, const INT*, const INT*, const T*, const void*, \
               const INT*, const T*, void*, const INT*, size_t, size_t);
#define PAIR(L, R, S, T, T_BETA, INT)                                                         \
  void L##R##S(const char*, const char*, const INT*, const INT*, const T*, const void*,       \
               const INT*, const void*, const INT*, const T_BETA*, void*, const INT*, size_t, \
               size_t);
#define TRIANGULAR(L, R, S, T, INT)                                                        \
  void L##R##S(const char*, const char*, const char*, const char*, const INT*, const INT*, \
               const T*, const T*, const INT*, T*, const INT*, size_t, size_t, size_t, size_t);
#define FORTRAN(L, S, T, INT)                                                                     \
  RANK_K(L, syrk, S, T, INT)                                                                      \
  PAIR(L, syr2k, S, T, T, INT)                                                                    \
  PAIR(L, symm, S, T, T, INT)                                                                     \
  TRIANGULAR(L, trsm, S, T, INT)                                                                  \
  TRIANGULAR(L, trmm, S, T, INT)                                                                  \
  CHECK(L##S, T, INT, 0, kSyrk, kTrmm, {                                                          \
    const char *const side = p->is_right ? "r" : "L", *const uplo = p->is_upper ? "u" : "L";      \
    const char* const trans = &"N\0t\0C"[2 * (is_rank_update(p) ? update_op(p) : p->op)];         \
    const char* const diag = p->is_unit ? "u" : "N";                                              \
    switch (p->kind) {                                                                            \
      case kSyrk: L##syrk##S(uplo, trans, &n, &k, &alpha, a, &lda, &beta, c, &ldc, 1, 1); break;  \
      case kSyr2k:                                                                                \
        L##syr2k##S(uplo, trans, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1);         \
        break;                                                                                    \
      case kSymm:                                                                                 \
        L##symm##S(side, uplo, &m, &n, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1);           \
        break;                                                                                    \
      case kTrsm:                                                                                 \
        L##trsm##S(side, uplo, trans, diag, &m, &n, &alpha, a, &lda, c, &ldc, 1, 1, 1, 1);        \
        break;                                                                                    \
      default: L##trmm##S(side, uplo, trans, diag, &m, &n, &alpha, a, &lda, c, &ldc, 1, 1, 1, 1); \
    }                                                                                             \
  })
#define HERMITIAN_FORTRAN(L, S, T, PART, INT)                                                \
  RANK_K(L, herk, S, PART, INT)                                                              \
  PAIR(L, her2k, S, T, PART, INT)                                                            \
  PAIR(L, hemm, S, T, T, INT)                                                                \
  CHECK(L##hermitian##S, T, INT, 0, kHerk, kHemm, {                                          \
    const char *const side = p->is_right ? "r" : "L", *const uplo = p->is_upper ? "u" : "L"; \
    const char* const trans = p->op ? "c" : "N";                                             \
    const PART real_alpha = (PART)alpha, real_beta = (PART)beta;                             \
    if (p->kind == kHerk) {                                                                  \
      L##herk##S(uplo, trans, &n, &k, &real_alpha, a, &lda, &real_beta, c, &ldc, 1, 1);      \
    } else if (p->kind == kHer2k) {                                                          \
      L##her2k##S(uplo, trans, &n, &k, &alpha, a, &lda, b, &ldb, &real_beta, c, &ldc, 1, 1); \
    } else {                                                                                 \
      L##hemm##S(side, uplo, &m, &n, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1);        \
    }                                                                                        \
  })
#define RANK_K_IN_C(L, R, S, SCALAR, INT) \
  void L##R##S(int, int, int, INT, INT, SCALAR, const void*, INT, SCALAR, void*, INT);
#define PAIR_IN_C(L, R, S, SCALAR, BETA, INT)                                                    \
  void L##R##S(int, int, int, INT, INT, SCALAR, const void*, INT, const void*, INT, BETA, void*, \
               INT);
#define TRIANGULAR_IN_C(L, R, S, SCALAR, INT) \
  void L##R##S(int, int, int, int, int, INT, INT, SCALAR, const void*, INT, void*, INT);
#define CBLAS(L, S, T, INT)                                                                        \
  RANK_K_IN_C(L, syrk, S, SCALAR_##T, INT)                                                         \
  PAIR_IN_C(L, syr2k, S, SCALAR_##T, SCALAR_##T, INT)                                              \
  PAIR_IN_C(L, symm, S, SCALAR_##T, SCALAR_##T, INT)                                               \
  TRIANGULAR_IN_C(L, trsm, S, SCALAR_##T, INT)                                                     \
  TRIANGULAR_IN_C(L, trmm, S, SCALAR_##T, INT)                                                     \
  CHECK(L##S, T, INT, 1, kSyrk, kTrmm, {                                                           \
    const int major = p->is_row_major ? 101 : 102, side = SIDE(p) ? 142 : 141;                     \
    const int uplo = TRIANGLE(p) ? 121 : 122, diag = p->is_unit ? 132 : 131;                       \
    const int trans = 111 + p->op, update = 111 + update_op(p);                                    \
    switch (p->kind) {                                                                             \
      case kSyrk:                                                                                  \
        L##syrk##S(major, uplo, update, n, k, PASS_##T(alpha), a, lda, PASS_##T(beta), c, ldc);    \
        break;                                                                                     \
      case kSyr2k:                                                                                 \
        L##syr2k##S(major, uplo, update, n, k, PASS_##T(alpha), a, lda, b, ldb, PASS_##T(beta), c, \
                    ldc);                                                                          \
        break;                                                                                     \
      case kSymm:                                                                                  \
        L##symm##S(major, side, uplo, ROWS(p), COLUMNS(p), PASS_##T(alpha), a, lda, b, ldb,        \
                   PASS_##T(beta), c, ldc);                                                        \
        break;                                                                                     \
      case kTrsm:                                                                                  \
        L##trsm##S(major, side, uplo, trans, diag, ROWS(p), COLUMNS(p), PASS_##T(alpha), a, lda,   \
                   c, ldc);                                                                        \
        break;                                                                                     \
      default:                                                                                     \
        L##trmm##S(major, side, uplo, trans, diag, ROWS(p), COLUMNS(p), PASS_##T(alpha), a, lda,   \
                   c, ldc);                                                                        \
    }                                                                                              \
  })
#define HERMITIAN_CBLAS(L, S, T, PART, INT)                                                      \
  RANK_K_IN_C(L, herk, S, PART, INT)                                                             \
  PAIR_IN_C(L, her2k, S, SCALAR_##T, PART, INT)                                                  \
  PAIR_IN_C(L, hemm, S, SCALAR_##T, SCALAR_##T, INT)                                             \
  CHECK(L##hermitian##S, T, INT, 1, kHerk, kHemm, {                                              \
    const int major = p->is_row_major ? 101 : 102, side = SIDE(p) ? 142 : 141;                   \
    const int uplo = TRIANGLE(p) ? 121 : 122, update = 111 + update_op(p);                       \
    /* The transpose of C has alpha in its second product. */                                    \
    const T pair_alpha = p->is_row_major ? (T)conj(alpha) : alpha;                               \
    if (p->kind == kHerk) {                                                                      \
      L##herk##S(major, uplo, update, n, k, (PART)alpha, a, lda, (PART)beta, c, ldc);            \
    } else if (p->kind == kHer2k) {                                                              \
      L##her2k##S(major, uplo, update, n, k, &pair_alpha, a, lda, b, ldb, (PART)beta, c, ldc);   \
    } else {                                                                                     \
      L##hemm##S(major, side, uplo, ROWS(p), COLUMNS(p), &alpha, a, lda, b, ldb, &beta, c, ldc); \
    }                                                                                            \
  })
#define CHECK(NAME, T, INT, IS_FOR_C, FIRST, LAST, ...)                                      \
  static void compute_##NAME(Problem* p) {                                                   \
    static T a[kElements], b[kElements], c[kElements];                                       \
    const INT m = p->m, n = p->n, k = p->k, lda = p->lda, ldb = p->ldb, ldc = p->ldc;        \
    const T alpha = (T)p->alpha, beta = (T)p->beta;                                          \
    int i;                                                                                   \
    for (i = 0; i < kElements; i++) a[i] = (T)p->a[i], b[i] = (T)p->b[i], c[i] = (T)p->c[i]; \
    __VA_ARGS__                                                                              \
    for (i = 0; i < kElements; i++) p->c[i] = c[i];                                          \
  }                                                                                          \
  static int check_##NAME(int alpha, int beta) {                                             \
    static const char* const names[kKinds] = {"syrk", "syr2k", "symm",  "trsm",              \
                                              "trmm", "herk",  "her2k", "hemm"};             \
    static Problem problem, before;                                                          \
    int kind;                                                                                \
    for (kind = FIRST; kind <= LAST; kind++) {                                               \
      draw(&problem, (Kind)kind, IS_COMPLEX(T), IS_FOR_C, alpha, beta);                      \
      before = problem;                                                                      \
      compute_##NAME(&problem);                                                              \
      expect(is_right_result(&problem, &before), names[kind], #NAME);                        \
    }                                                                                        \
    return LAST - FIRST + 1;                                                                 \
  }
#include "families.h"
#undef FORTRAN
#undef HERMITIAN_FORTRAN
#undef CBLAS
#undef HERMITIAN_CBLAS

int check_blocked(int alpha, int beta) {
  int problems = 0;
#define FORTRAN(L, S, T, INT) problems += check_##L##S(alpha, beta);
#define HERMITIAN_FORTRAN(L, S, T, PART, INT) problems += check_##L##hermitian##S(alpha, beta);
#define CBLAS FORTRAN
#define HERMITIAN_CBLAS HERMITIAN_FORTRAN
#include "families.h"
  return problems;
}

int call_with_other_ops(void) {
  static const ComplexDouble one = 1, a[32 * 32];
  static ComplexDouble c[32 * 32];
  static const double real_one = 1, imaginary[2] = {0, 1};
  const Integer n = 32;
  zherk_("U", "T", &n, &n, &real_one, a, &n, &real_one, c, &n, 1, 1);
  zsyrk_("U", "C", &n, &n, &one, a, &n, &one, c, &n, 1, 1);
  zher2k_("U", "T", &n, &n, &one, a, &n, a, &n, &real_one, c, &n, 1, 1);
  zsyr2k_("U", "C", &n, &n, &one, a, &n, a, &n, &one, c, &n, 1, 1);
  zherk_("U", "C", &n, &n, imaginary, a, &n, &real_one, c, &n, 1, 1);
  return 5;
}
