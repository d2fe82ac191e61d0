// p = v, from the matrix's type to wide numbers.
//   ACCUMULATOR  see common/wide.cl

#include "common/element.cl"
#include "common/vectors.cl"
#include "common/eigenpair.cl"

kernel void eigenpair_widen(const ulong n, global const element* restrict v, global component* restrict p) {
  const ulong i = get_global_id(0);
  const Pair value = {v[min(i, n - 1)], 0};
  if (i < n) store_pair(value, p, n, i);
}

// v = 1, before rounds in steps.
kernel void eigenpair_widen_ones(const ulong n, global element* restrict v) {
  const ulong i = get_global_id(0);
  if (i < n) v[i] = 1;
}
