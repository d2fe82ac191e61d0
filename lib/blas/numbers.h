/* Numbers in the program's memory. */
#ifndef TESSERA_BLAS_NUMBERS_H
#define TESSERA_BLAS_NUMBERS_H

#include "front.h"

static inline double complex number_at(Type type, const void* numbers, int64_t index) {
  switch (type) {
    case kFloat: return ((const float*)numbers)[index];
    case kDouble: return ((const double*)numbers)[index];
    case kComplexFloat: return ((const float complex*)numbers)[index];
    default: return ((const double complex*)numbers)[index];
  }
}

/* A real type takes the real part. */
static inline void put_number(Type type, void* numbers, int64_t index, double complex number) {
  switch (type) {
    case kFloat: ((float*)numbers)[index] = (float)creal(number); break;
    case kDouble: ((double*)numbers)[index] = creal(number); break;
    case kComplexFloat: ((float complex*)numbers)[index] = (float complex)number; break;
    default: ((double complex*)numbers)[index] = number;
  }
}

#endif
