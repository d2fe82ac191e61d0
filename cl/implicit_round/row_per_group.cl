// q = A * p * scale, s = A * p / p: a work-group ROWS rows, its work-items' sums added by a tree.
//   GROUP   work-items of a work-group, a power of two
//   ROWS    rows of a work-group
//   UNROLL  elements of a row that a work-item has under way
//   WIDE    see common/wide.cl: of p, q, s and the sums
// Any n but 0.

#ifndef ROWS
#error "ROWS is not defined"
#endif
#ifndef UNROLL
#error "UNROLL is not defined"
#endif

#define TERM part

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void implicit_round_row_per_group(global const State* state, const ulong n,
                                  global const element* restrict a, const Rows a_at,  // n x n
                                  global const part* restrict p, global part* restrict q, global part* restrict s) {
  local Pair space[GROUP];
  const bool halted = state->halt != 0;
  const part scale = state->scale;
  const ulong end = halted ? 0 : n, first = get_group_id(0) * ROWS;
  global const element* row[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) row[r] = a + a_at.offset + min(first + r, n - 1) * a_at.row;

  part high[ROWS], low[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) high[r] = low[r] = 0;
  ulong j = get_local_id(0);
  for (; j + (UNROLL - 1) * GROUP < end; j += UNROLL * GROUP) {
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
      const Pair factor = load_pair(p, n, j + u * GROUP);
#pragma unroll
      for (int r = 0; r < ROWS; r++) {
        add_wide_product(high[r], low[r], (part)row[r][j + u * GROUP], factor.high, factor.low);
      }
    }
  }
  for (; j < end; j += GROUP) {
    const Pair factor = load_pair(p, n, j);
#pragma unroll
    for (int r = 0; r < ROWS; r++) add_wide_product(high[r], low[r], (part)row[r][j], factor.high, factor.low);
  }
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    Pair sum;
    tree(space, pair_of(high[r], low[r]), add_pairs, sum);
    if (!halted && get_local_id(0) == 0 && first + r < n) {
      store_pair(scale_pair(sum, scale), q, n, first + r);
      store_pair(divide_pairs(sum, load_pair(p, n, first + r)), s, n, first + r);
    }
  }
}
