/* What the checks of front_client share. */
#ifndef TESSERA_TESTS_BLAS_CLIENT_H
#define TESSERA_TESTS_BLAS_CLIENT_H

#include <complex.h>
#include <stdint.h>

/* Integers of the names that are without a suffix. */
#ifdef WIDE_INTEGERS
typedef int64_t Integer;
#else
typedef int32_t Integer;
#endif

/* Types of elements, by names that macros can paste. */
typedef float complex ComplexFloat;
typedef double complex ComplexDouble;
#define IS_COMPLEX(T) ((T)I != 0)
#ifndef CMPLX /* glibc defines it for GCC only */
#define CMPLX(real, imaginary) __builtin_complex((double)(real), (double)(imaginary))
#endif

/* Parameters of functions in C: complex numbers are passed by pointers. */
#define SCALAR_float float
#define SCALAR_double double
#define SCALAR_ComplexFloat const ComplexFloat*
#define SCALAR_ComplexDouble const ComplexDouble*
#define PASS_float(number) (number)
#define PASS_double(number) (number)
#define PASS_ComplexFloat(number) (&(number))
#define PASS_ComplexDouble(number) (&(number))

extern int failed;
void expect(int holds, const char* what, const char* name);
int drawn(int least, int most);
/* A number that all types hold exactly, apart from the imaginary part: products are exact. */
double complex element(void);

/* Problems of all routines except gemm, by every name. Returns how many there were. */
int check_blocked(int alpha, int beta);
/* Complex updates with the op of the others, and one by an alpha whose real part is 0: each is one
 * call of the next BLAS. Returns how many there are. */
int call_with_other_ops(void);

#endif
