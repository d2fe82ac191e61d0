/* Every spelling of the names of BLAS, for macros FORTRAN and CBLAS of what comes before a
 * routine's name, what comes after it, its elements and its integers. HERMITIAN_FORTRAN and
 * HERMITIAN_CBLAS are for the routines that complex elements have in addition, with the type of the
 * parts before the integers. */
#ifndef FORTRAN_TYPES
#define FORTRAN_TYPES(P, S, INT)                       \
  FORTRAN(P##s, S, float, INT)                         \
  FORTRAN(P##d, S, double, INT)                        \
  FORTRAN(P##c, S, ComplexFloat, INT)                  \
  FORTRAN(P##z, S, ComplexDouble, INT)                 \
  HERMITIAN_FORTRAN(P##c, S, ComplexFloat, float, INT) \
  HERMITIAN_FORTRAN(P##z, S, ComplexDouble, double, INT)
#define CBLAS_TYPES(P, S, INT)                       \
  CBLAS(P##s, S, float, INT)                         \
  CBLAS(P##d, S, double, INT)                        \
  CBLAS(P##c, S, ComplexFloat, INT)                  \
  CBLAS(P##z, S, ComplexDouble, INT)                 \
  HERMITIAN_CBLAS(P##c, S, ComplexFloat, float, INT) \
  HERMITIAN_CBLAS(P##z, S, ComplexDouble, double, INT)
#endif
#ifdef WIDE_INTEGERS /* as in libblas64.so.3 */
FORTRAN_TYPES(, _, int64_t)
CBLAS_TYPES(cblas_, , int64_t)
#else
FORTRAN_TYPES(, _, int32_t)
FORTRAN_TYPES(, _64_, int64_t)
FORTRAN_TYPES(scipy_, _, int32_t)
FORTRAN_TYPES(scipy_, _64_, int64_t)
CBLAS_TYPES(cblas_, , int32_t)
CBLAS_TYPES(cblas_, 64_, int64_t)
CBLAS_TYPES(cblas_, _64, int64_t)
CBLAS_TYPES(scipy_cblas_, , int32_t)
CBLAS_TYPES(scipy_cblas_, 64_, int64_t)
#endif
