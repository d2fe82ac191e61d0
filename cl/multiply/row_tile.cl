// C = alpha * A * B + beta * C: a work-group computes TILE_N elements of a row of C, and stages TILE_N
// elements of the row of A at a time in local memory.
//   TILE_N  work-items of the work-group, elements of A that are staged
// Any m, n, k: reads beyond an operand are moved inside, and their results are not stored.

#include "common/product.cl"

#ifndef TILE_N
#error "TILE_N is not defined"
#endif

kernel __attribute__((reqd_work_group_size(TILE_N, 1, 1)))
void multiply_row_tile(const Shape shape, const number alpha, const number beta,
                       global const element* restrict a, const Layout a_at,  // m x k
                       global const element* restrict b, const Layout b_at,  // k x n
                       global output* restrict c, const Layout c_at) {      // m x n
  local number row[TILE_N];
  const uint lane = get_local_id(0);
  const ulong i = get_group_id(1), j = get_global_id(0);
  a += start_of(a_at) + i * a_at.row;
  b += start_of(b_at) + min(j, shape.n - 1) * b_at.column;
  number sum = 0;
  for (ulong tile = 0; tile < shape.k; tile += TILE_N) {
    const uint width = min((ulong)TILE_N, shape.k - tile);
    if (lane < width) row[lane] = LOAD(a, (tile + lane) * a_at.column);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = 0; p < width; p++) {
      sum = MULTIPLY_ADD(row[p], LOAD(b, (tile + p) * b_at.row), sum);
    }
    // The row is overwritten in the next round.
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (j < shape.n) update(c, c_at, i, j, alpha, sum, beta);
}
