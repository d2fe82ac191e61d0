// C = alpha * A * B + beta * C: a sub-group owns ROWS x LANES * COLUMNS elements of C. Each lane reads
// ROWS elements of a column of A, all lanes get them from there, and each serves COLUMNS columns.
//   EXCHANGE, LANES, SUB_GROUPS  see common/lanes.cl; the sub-groups of a work-group are stacked in rows
//   ROWS     rows of C of a sub-group
//   COLUMNS  columns of C of a lane, LANES apart
// Any m, n, k: what lies outside is read from inside, and not stored.

#ifndef ROWS
#error "ROWS is not defined"
#endif
#ifndef COLUMNS
#error "COLUMNS is not defined"
#endif

LANES_GROUP kernel void multiply_subgroup_block(
    const Shape shape, const number alpha, const number beta,
    global const element* restrict a, const Layout a_at,  // m x k
    global const element* restrict b, const Layout b_at,  // k x n
    global element* restrict c, const Layout c_at) {      // m x n
  LANES_SPACE(space, ROWS);
  const uint lane = get_local_id(0);
  const ulong i = get_global_id(1) * ROWS, j = get_group_id(0) * (LANES * COLUMNS) + lane;
  a += a_at.offset;
  b += b_at.offset;
  ulong a_row[ROWS], b_column[COLUMNS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) a_row[r] = min(i + r, shape.m - 1) * a_at.row;
#pragma unroll
  for (int q = 0; q < COLUMNS; q++) b_column[q] = min(j + q * LANES, shape.n - 1) * b_at.column;

  number sum[ROWS][COLUMNS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
#pragma unroll
    for (int q = 0; q < COLUMNS; q++) sum[r][q] = 0;
  }
  for (ulong tile = 0; tile < shape.k; tile += LANES) {
    const uint width = min((ulong)LANES, shape.k - tile);
    const ulong a_column = (tile + min(lane, width - 1)) * a_at.column;
    number mine[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) mine[r] = load(a, a_row[r] + a_column);
    lanes_share(space, mine, ROWS);
    for (uint p = 0; p < width; p++) {
#pragma unroll
      for (int q = 0; q < COLUMNS; q++) {
        const number factor = load(b, (tile + p) * b_at.row + b_column[q]);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
          sum[r][q] = multiply_add(lanes_read(space, mine, r, p), factor, sum[r][q]);
        }
      }
    }
    lanes_done();
  }
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
#pragma unroll
    for (int q = 0; q < COLUMNS; q++) {
      if (i + r < shape.m && j + q * LANES < shape.n) {
        update(c, c_at, i + r, j + q * LANES, alpha, sum[r][q], beta);
      }
    }
  }
}
