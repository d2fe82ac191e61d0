// C = alpha * A * B + beta * C: a sub-group computes SUBGROUP_SIZE elements of a row of C; each lane reads one
// element of the row of A, and all lanes get it from there.
//   SHUFFLE, SUBGROUP_SIZE, SUB_GROUPS  see common/lanes.cl; the sub-groups of a work-group have a row each
// Any m, n, k: reads beyond an operand are moved inside, and their results are not stored.

#include "common/product.cl"
#include "common/lanes.cl"

LANES_GROUP kernel void multiply_subgroup_broadcast(
    const Shape shape, const number alpha, const number beta,
    global const element* restrict a, const Layout a_at,  // m x k
    global const element* restrict b, const Layout b_at,  // k x n
    global output* restrict c, const Layout c_at) {      // m x n
  LANES_SPACE(space, 1);
  const uint lane = get_local_id(0);
  const ulong i = get_global_id(1), j = get_global_id(0);
  a += start_of(a_at) + min(i, shape.m - 1) * a_at.row;
  b += start_of(b_at) + min(j, shape.n - 1) * b_at.column;
  number sum = 0;
  for (ulong tile = 0; tile < shape.k; tile += SUBGROUP_SIZE) {
    const uint width = min((ulong)SUBGROUP_SIZE, shape.k - tile);
    const number mine[1] = {LOAD(a, (tile + min(lane, width - 1)) * a_at.column)};
    LANES_SHARE(space, mine, 1);
    for (uint p = 0; p < width; p++) {
      sum = MULTIPLY_ADD(LANES_READ(space, mine, 0, p), LOAD(b, (tile + p) * b_at.row), sum);
    }
    LANES_DONE();
  }
  if (i < shape.m && j < shape.n) update(c, c_at, i, j, alpha, sum, beta);
}
