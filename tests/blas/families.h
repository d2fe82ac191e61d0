/* Every spelling of the names of BLAS, for macros FORTRAN and CBLAS of what comes before a
 * routine's name, what comes after it, its elements and its integers. */
#ifdef WIDE_INTEGERS /* as in libblas64.so.3 */
FORTRAN(s, _, float, int64_t)
FORTRAN(d, _, double, int64_t)
CBLAS(cblas_s, , float, int64_t)
CBLAS(cblas_d, , double, int64_t)
#else
FORTRAN(s, _, float, int32_t)
FORTRAN(d, _, double, int32_t)
FORTRAN(s, _64_, float, int64_t)
FORTRAN(d, _64_, double, int64_t)
FORTRAN(scipy_s, _, float, int32_t)
FORTRAN(scipy_d, _, double, int32_t)
FORTRAN(scipy_s, _64_, float, int64_t)
FORTRAN(scipy_d, _64_, double, int64_t)
CBLAS(cblas_s, , float, int32_t)
CBLAS(cblas_d, , double, int32_t)
CBLAS(cblas_s, 64_, float, int64_t)
CBLAS(cblas_d, 64_, double, int64_t)
CBLAS(cblas_s, _64, float, int64_t)
CBLAS(cblas_d, _64, double, int64_t)
CBLAS(scipy_cblas_s, , float, int32_t)
CBLAS(scipy_cblas_d, , double, int32_t)
CBLAS(scipy_cblas_s, 64_, float, int64_t)
CBLAS(scipy_cblas_d, 64_, double, int64_t)
#endif
