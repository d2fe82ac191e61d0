// Arithmetic whose exact results the host can compute: tests what a proof assumes of a device.
//   DOUBLE  1: in double as well as in float
// Result k of operands i is number k * count + i: a fused product and sum; a sum and what its rounding lost; a product
// and what its rounding lost; a quotient that fma has corrected, as a high and a low part (see common/wide.cl).
// One work-item per operand triple.

#ifndef DOUBLE
#error "DOUBLE is not defined"
#endif

#pragma OPENCL FP_CONTRACT OFF

// The results of triple i.
#define STORE_RESULTS(NUMBER, count, i, x, y, z, results)                                                   \
  do {                                                                                                      \
    const NUMBER a = (x)[i], b = (y)[i], c = (z)[i];                                                        \
    const NUMBER sum = a + c, of_c = sum - a;                                                               \
    const NUMBER product = a * b;                                                                           \
    const NUMBER first = a / b, rest = fma(-first, b, a) / b, quotient = first + rest;                      \
    const NUMBER all[] = {fma(a, b, c), sum, (a - (sum - of_c)) + (c - of_c), product, fma(a, b, -product), \
                          quotient, rest - (quotient - first)};                                             \
    for (uint k = 0; k < 7; k++) (results)[k * (count) + i] = all[k];                                       \
  } while (0)

#if DOUBLE == 1 && defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

kernel void probes_exactness(const uint count, global const float* restrict x, global const float* restrict y,
                                 global const float* restrict z, global float* restrict results
#if DOUBLE == 1
                                 , global const double* restrict double_x, global const double* restrict double_y,
                                 global const double* restrict double_z, global double* restrict double_results
#endif
) {
  const uint i = get_global_id(0);
  if (i >= count) return;
  STORE_RESULTS(float, count, i, x, y, z, results);
#if DOUBLE == 1
  STORE_RESULTS(double, count, i, double_x, double_y, double_z, double_results);
#endif
}
