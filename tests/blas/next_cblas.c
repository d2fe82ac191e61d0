/* The names in C of a BLAS that comes next. As netlib's, they call Fortran's: libtessera-blas sees
 * these calls again. */
#include <stddef.h>
#include <stdint.h>

#include "client.h"

#define GEMM(NAME)                                                                                 \
  void NAME(const char*, const char*, const Integer*, const Integer*, const Integer*, const void*, \
            const void*, const Integer*, const void*, const Integer*, const void*, void*,          \
            const Integer*, size_t, size_t);
#define RANK_K(NAME)                                                                            \
  void NAME(const char*, const char*, const Integer*, const Integer*, const void*, const void*, \
            const Integer*, const void*, void*, const Integer*, size_t, size_t);
#define PAIR(NAME)                                                                              \
  void NAME(const char*, const char*, const Integer*, const Integer*, const void*, const void*, \
            const Integer*, const void*, const Integer*, const void*, void*, const Integer*,    \
            size_t, size_t);
#define TRIANGULAR(NAME)                                                                        \
  void NAME(const char*, const char*, const char*, const char*, const Integer*, const Integer*, \
            const void*, const void*, const Integer*, void*, const Integer*, size_t, size_t,    \
            size_t, size_t);
#define NAMES(L) \
  GEMM(L##gemm_) \
  RANK_K(L##syrk_) PAIR(L##syr2k_) PAIR(L##symm_) TRIANGULAR(L##trsm_) TRIANGULAR(L##trmm_)
#define HERMITIAN_NAMES(L) RANK_K(L##herk_) PAIR(L##her2k_) PAIR(L##hemm_)
NAMES(s)
NAMES(d)
NAMES(c)
NAMES(z)
HERMITIAN_NAMES(c) HERMITIAN_NAMES(z)
#define fortran_float(routine) s##routine
#define fortran_double(routine) d##routine
#define fortran_ComplexFloat(routine) c##routine
#define fortran_ComplexDouble(routine) z##routine

    /* A row-major problem is a column-major one with other triangles and sides. */
    static const char* operation(int trans) {
  return &"N\0T\0C"[2 * (trans - 111)];
}
static const char* triangle(int order, int uplo) {
  return (uplo == 121) == (order == 102) ? "U" : "L";
}
static const char* side_of(int order, int side) {
  return (side == 141) == (order == 102) ? "L" : "R";
}
/* `letter`: the op that a rank update has in place of none. */
static const char* update(int order, int trans, const char* letter) {
  return (trans == 111) == (order == 102) ? "N" : letter;
}
/* The address of a scalar, which complex ones are passed by. */
#define AT_float(scalar) (&(scalar))
#define AT_double(scalar) (&(scalar))
#define AT_ComplexFloat(scalar) (scalar)
#define AT_ComplexDouble(scalar) (scalar)

#define RANK_K_IN_C(NAME, NEXT, LETTER, T, INT)                                                  \
  void NAME(int order, int uplo, int trans, INT n, INT k, SCALAR_##T alpha, const void* a,       \
            INT lda, SCALAR_##T beta, void* c, INT ldc) {                                        \
    const Integer n_ = (Integer)n, k_ = (Integer)k, lda_ = (Integer)lda, ldc_ = (Integer)ldc;    \
    NEXT(triangle(order, uplo), update(order, trans, LETTER), &n_, &k_, AT_##T(alpha), a, &lda_, \
         AT_##T(beta), c, &ldc_, 1, 1);                                                          \
  }
#define RANK_2K_IN_C(NAME, NEXT, LETTER, T, T_BETA, INT)                                      \
  void NAME(int order, int uplo, int trans, INT n, INT k, SCALAR_##T alpha, const void* a,    \
            INT lda, const void* b, INT ldb, SCALAR_##T_BETA beta, void* c, INT ldc) {        \
    const Integer n_ = (Integer)n, k_ = (Integer)k, lda_ = (Integer)lda, ldc_ = (Integer)ldc; \
    const Integer ldb_ = (Integer)ldb;                                                        \
    /* The transpose of a Hermitian C has alpha in its second product. */                     \
    const T turned = (T)conj(*AT_##T(alpha));                                                 \
    NEXT(triangle(order, uplo), update(order, trans, LETTER), &n_, &k_,                       \
         order == 101 && *LETTER == 'C' ? &turned : AT_##T(alpha), a, &lda_, b, &ldb_,        \
         AT_##T_BETA(beta), c, &ldc_, 1, 1);                                                  \
  }
#define SYMMETRIC_IN_C(NAME, NEXT, T, INT)                                                         \
  void NAME(int order, int side, int uplo, INT m, INT n, SCALAR_##T alpha, const void* a, INT lda, \
            const void* b, INT ldb, SCALAR_##T beta, void* c, INT ldc) {                           \
    const Integer m_ = (Integer)(order == 101 ? n : m), n_ = (Integer)(order == 101 ? m : n);      \
    const Integer lda_ = (Integer)lda, ldb_ = (Integer)ldb, ldc_ = (Integer)ldc;                   \
    NEXT(side_of(order, side), triangle(order, uplo), &m_, &n_, AT_##T(alpha), a, &lda_, b, &ldb_, \
         AT_##T(beta), c, &ldc_, 1, 1);                                                            \
  }
#define TRIANGULAR_IN_C(NAME, NEXT, T, INT)                                                      \
  void NAME(int order, int side, int uplo, int trans, int diag, INT m, INT n, SCALAR_##T alpha,  \
            const void* a, INT lda, void* b, INT ldb) {                                          \
    const Integer m_ = (Integer)(order == 101 ? n : m), n_ = (Integer)(order == 101 ? m : n);    \
    const Integer lda_ = (Integer)lda, ldb_ = (Integer)ldb;                                      \
    NEXT(side_of(order, side), triangle(order, uplo), operation(trans), diag == 132 ? "U" : "N", \
         &m_, &n_, AT_##T(alpha), a, &lda_, b, &ldb_, 1, 1, 1, 1);                               \
  }
#define CBLAS(L, S, T, INT)                                                                        \
  void L##gemm##S(int order, int ta, int tb, INT m, INT n, INT k, SCALAR_##T alpha, const void* a, \
                  INT lda, const void* b, INT ldb, SCALAR_##T beta, void* c, INT ldc) {            \
    const int is_row_major = order == 101;                                                         \
    const Integer m_ = (Integer)(is_row_major ? n : m), n_ = (Integer)(is_row_major ? m : n);      \
    const Integer k_ = (Integer)k, lda_ = (Integer)lda, ldb_ = (Integer)ldb, ldc_ = (Integer)ldc;  \
    fortran_##T(gemm_)(operation(is_row_major ? tb : ta), operation(is_row_major ? ta : tb), &m_,  \
                       &n_, &k_, AT_##T(alpha), is_row_major ? b : a,                              \
                       is_row_major ? &ldb_ : &lda_, is_row_major ? a : b,                         \
                       is_row_major ? &lda_ : &ldb_, AT_##T(beta), c, &ldc_, 1, 1);                \
  }                                                                                                \
  RANK_K_IN_C(L##syrk##S, fortran_##T(syrk_), "T", T, INT)                                         \
  RANK_2K_IN_C(L##syr2k##S, fortran_##T(syr2k_), "T", T, T, INT)                                   \
  SYMMETRIC_IN_C(L##symm##S, fortran_##T(symm_), T, INT)                                           \
  TRIANGULAR_IN_C(L##trsm##S, fortran_##T(trsm_), T, INT)                                          \
  TRIANGULAR_IN_C(L##trmm##S, fortran_##T(trmm_), T, INT)
#define HERMITIAN_CBLAS(L, S, T, PART, INT)                         \
  RANK_K_IN_C(L##herk##S, fortran_##T(herk_), "C", PART, INT)       \
  RANK_2K_IN_C(L##her2k##S, fortran_##T(her2k_), "C", T, PART, INT) \
  SYMMETRIC_IN_C(L##hemm##S, fortran_##T(hemm_), T, INT)
#define FORTRAN(L, S, T, INT)
#define HERMITIAN_FORTRAN(L, S, T, PART, INT)
#include "families.h"
