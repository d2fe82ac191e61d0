// C = alpha * A * B + beta * C: a sub-group owns MR x SUBGROUP_SIZE * NR elements of C. Each lane reads
// MR elements of a column of A, all lanes get them from there, and each serves NR columns.
//   SHUFFLE, SUBGROUP_SIZE, SUB_GROUPS  see common/lanes.cl; the sub-groups of a work-group are stacked in rows
//   MR  rows of C of a sub-group
//   NR  columns of C of a lane, SUBGROUP_SIZE apart
// Any m, n, k: reads beyond an operand are moved inside, and their results are not stored.

#include "common/product.cl"
#include "common/lanes.cl"

#ifndef MR
#error "MR is not defined"
#endif
#ifndef NR
#error "NR is not defined"
#endif

LANES_GROUP kernel void multiply_subgroup_block(
    const Shape shape, const number alpha, const number beta,
    global const element* restrict a, const Layout a_at,  // m x k
    global const element* restrict b, const Layout b_at,  // k x n
    global output* restrict c, const Layout c_at) {      // m x n
  LANES_SPACE(space, MR);
  const uint lane = get_local_id(0);
  const ulong i = get_global_id(1) * MR, j = get_group_id(0) * (SUBGROUP_SIZE * NR) + lane;
  a += start_of(a_at);
  b += start_of(b_at);
  ulong a_row[MR], b_column[NR];
#pragma unroll
  for (int r = 0; r < MR; r++) a_row[r] = min(i + r, shape.m - 1) * a_at.row;
#pragma unroll
  for (int q = 0; q < NR; q++) b_column[q] = min(j + q * SUBGROUP_SIZE, shape.n - 1) * b_at.column;

  number sum[MR][NR];
#pragma unroll
  for (int r = 0; r < MR; r++) {
#pragma unroll
    for (int q = 0; q < NR; q++) sum[r][q] = 0;
  }
  for (ulong tile = 0; tile < shape.k; tile += SUBGROUP_SIZE) {
    const uint width = min((ulong)SUBGROUP_SIZE, shape.k - tile);
    const ulong a_column = (tile + min(lane, width - 1)) * a_at.column;
    number mine[MR];
#pragma unroll
    for (int r = 0; r < MR; r++) mine[r] = LOAD(a, a_row[r] + a_column);
    LANES_SHARE(space, mine, MR);
    for (uint p = 0; p < width; p++) {
#pragma unroll
      for (int q = 0; q < NR; q++) {
        const number factor = LOAD(b, (tile + p) * b_at.row + b_column[q]);
#pragma unroll
        for (int r = 0; r < MR; r++) {
          sum[r][q] = MULTIPLY_ADD(LANES_READ(space, mine, r, p), factor, sum[r][q]);
        }
      }
    }
    LANES_DONE();
  }
#pragma unroll
  for (int r = 0; r < MR; r++) {
#pragma unroll
    for (int q = 0; q < NR; q++) {
      if (i + r < shape.m && j + q * SUBGROUP_SIZE < shape.n) {
        update(c, c_at, i + r, j + q * SUBGROUP_SIZE, alpha, sum[r][q], beta);
      }
    }
  }
}
