// C = alpha * A * B + beta * C: TILE x TILE blocks of A and B staged in local memory.
//   TILE  edge of a block and of the work-group
// Any m, n, k: elements outside of the operands are staged as zero.

#include "common/complex.cl"

#ifndef TILE
#error "TILE is not defined"
#endif

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void multiply_tiled_static(const Shape shape, const value alpha, const value beta,
                           global const entry* restrict a, const Layout a_at,  // m x k
                           global const entry* restrict b, const Layout b_at,  // k x n
                           global result* restrict c, const Layout c_at) {      // m x n
  local value a_tile[TILE][TILE], b_tile[TILE][TILE];
  const uint x = get_local_id(0), y = get_local_id(1);
  const ulong i = get_global_id(1), j = get_global_id(0);
  a += start_of(a_at) + i * a_at.row;
  b += start_of(b_at) + j * b_at.column;
  value sum = 0;
  for (ulong tile = 0; tile < shape.k; tile += TILE) {
    const bool a_inside = i < shape.m && tile + x < shape.k;
    const bool b_inside = j < shape.n && tile + y < shape.k;
    a_tile[y][x] = a_inside ? LOAD_A(a, (tile + x) * a_at.column) : (value)(0);
    b_tile[y][x] = b_inside ? LOAD_B(b, (tile + y) * b_at.row) : (value)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = 0; p < TILE; p++) sum = multiply_add(a_tile[y][p], b_tile[p][x], sum);
    // The tiles are overwritten in the next round.
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < shape.m && j < shape.n) update_value(c, c_at, i, j, alpha, sum, beta);
}
