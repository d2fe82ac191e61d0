// The transpose of an n x n matrix, dense: a tile of TILE x TILE elements for a work-group of as many work-items.

#include "common/element.cl"
#include "common/vectors.cl"

#ifndef TILE
#error "TILE is not defined"
#endif

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void eigenpair_transpose(const ulong n, global const element* restrict a, const Rows a_at,
                         global element* restrict transposed, const ulong first) {  // row
  local element tile[TILE][TILE + 1];
  const ulong left = get_group_id(0) * (ulong)TILE, top = first + get_group_id(1) * (ulong)TILE;
  const uint x = get_local_id(0), y = get_local_id(1);
  if (top + y < n && left + x < n) tile[y][x] = a[a_at.offset + (top + y) * a_at.row + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (left + y < n && top + x < n) transposed[(left + y) * n + top + x] = tile[x][y];
}
