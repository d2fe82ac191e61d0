/* The types of numbers. */
#include "numbers.h"

const Element elements[kTypes] = {
    {'s', "float", kFloat, sizeof(float)},
    {'d', "double", kDouble, sizeof(double)},
    {'c', "complex64", kFloat, sizeof(float complex)},
    {'z', "complex128", kDouble, sizeof(double complex)},
};
