// B = diag(s)^-1 * A * diag(s), t = B * 1, in one pass: a work-group a row, its sums added by a tree.
//   LOCAL_SIZE  work-items of a work-group, a power of two
//   UNROLL      elements of a row that a work-item reads before it writes
// Any n but 0. B may be A.

#include "common/element.cl"
#include "common/vectors.cl"
#include "common/tree.cl"

#ifndef UNROLL
#error "UNROLL is not defined"
#endif

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void fused_round_row_per_group(global const uint* halt, const ulong n, global const element* a, const Rows a_at,
                               global const element* restrict s, const Vector s_at, global element* b,
                               const Rows b_at, global element* restrict t, const Vector t_at) {
  local number space[LOCAL_SIZE];
  const bool halted = *halt != 0;
  const ulong i = get_group_id(0);
  const uint end = halted ? 0 : n;
  const number divisor = ELEMENT_OF(s, s_at, i);
  a += a_at.offset + i * a_at.row;
  b += b_at.offset + i * b_at.row;
  number sum = 0, all;
  uint j = get_local_id(0);
  for (; j + (UNROLL - 1) * LOCAL_SIZE < end; j += UNROLL * LOCAL_SIZE) {
    number values[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
      values[u] = a[j + u * LOCAL_SIZE] * (ELEMENT_OF(s, s_at, j + u * LOCAL_SIZE) / divisor);
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
      b[j + u * LOCAL_SIZE] = values[u];
      sum += values[u];
    }
  }
  for (; j < end; j += LOCAL_SIZE) {
    const number value = a[j] * (ELEMENT_OF(s, s_at, j) / divisor);
    b[j] = value;
    sum += value;
  }
  TREE(space, sum, SUM_OF_TWO, all);
  if (!halted && get_local_id(0) == 0) ELEMENT_OF(t, t_at, i) = all;
}
