// Arithmetic on operands whose results the host knows: what a proof assumes of a device.
//   NUMBER  float or double
// Result k of operands i is number k * count + i: a fused product and sum; a sum and what its rounding lost; a product
// and what its rounding lost; a quotient that fma has corrected, as a high and a low part (see common/wide.cl).
// One work-item per operand triple.

#ifndef NUMBER
#error "NUMBER is not defined"
#endif

#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

kernel void arithmetic_exactness(const uint count, global const NUMBER* restrict x, global const NUMBER* restrict y,
                                 global const NUMBER* restrict z, global NUMBER* restrict results) {
  const uint i = get_global_id(0);
  if (i >= count) return;
  const NUMBER a = x[i], b = y[i], c = z[i];
  const NUMBER sum = a + c, of_c = sum - a;
  const NUMBER product = a * b;
  const NUMBER first = a / b, rest = fma(-first, b, a) / b, quotient = first + rest;
  const NUMBER all[] = {fma(a, b, c), sum, (a - (sum - of_c)) + (c - of_c), product, fma(a, b, -product), quotient,
                        rest - (quotient - first)};
  for (uint k = 0; k < 7; k++) results[k * count + i] = all[k];
}
