// Chains of multiply-adds in registers: how many numbers a device can multiply and add in a second.
//   VECTOR  numbers of a vector: 1, 2, 4, 8 or 16
//   CHAINS  independent vectors of a work-item

#include "common/element.cl"

#if !defined(VECTOR) || !defined(CHAINS)
#error "VECTOR or CHAINS is not defined"
#endif

#if VECTOR == 1
typedef number vector;
#else
typedef JOIN(NUMBER, VECTOR) vector;
#endif

kernel void peak_multiply_add(const uint rounds, const number factor, const number addend,
                              global number* restrict sums) {
  vector chain[CHAINS];
#pragma unroll
  for (uint c = 0; c < CHAINS; c++) chain[c] = (vector)((number)(get_global_id(0) + c));
  for (uint round = 0; round < rounds; round++) {
#pragma unroll
    for (uint turn = 0; turn < 8; turn++) {
#pragma unroll
      for (uint c = 0; c < CHAINS; c++) chain[c] = MULTIPLY_ADD(chain[c], factor, addend);
    }
  }
  vector sum = chain[0];
#pragma unroll
  for (uint c = 1; c < CHAINS; c++) sum += chain[c];
#if VECTOR == 1
  sums[get_global_id(0)] = sum;
#else
  sums[get_global_id(0)] = sum.s0 + sum.s1;
#endif
}
