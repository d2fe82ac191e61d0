// q = A * p * scale, s = A * p / p: a work-group ROWS rows, its work-items' sums added by a tree.
//   GROUP   work-items of a work-group, a power of two
//   ROWS    rows of a work-group
//   UNROLL  elements of a row that a work-item has under way
//   WIDE    see common/wide.cl: of p, q, s and the sums
//   CHECKS  1: the state is told what A's elements are
// Any n but 0.

#ifndef ROWS
#error "ROWS is not defined"
#endif
#ifndef UNROLL
#error "UNROLL is not defined"
#endif
#ifndef CHECKS
#error "CHECKS is not defined"
#endif

#define TERM part

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void implicit_round_row_per_group(global State* state, const ulong n,
                                  global const element* restrict a, const Rows a_at,  // n x n
                                  global const part* restrict p, global part* restrict q, global part* restrict s) {
  local Sum space[ROWS][GROUP];
  const bool halted = state->halt != 0;
  const uint end = halted ? 0 : n, item = get_local_id(0);
  const ulong first = get_group_id(0) * ROWS;
  const bool has_row = !halted && item < ROWS && first + item < n;
  const ulong own = min(first + item, n - 1);
  const Pair divisor = load_pair(p, n, own);  // long before it is needed
  const part scale = state->scale;
  global const element* row[ROWS];
  part high[ROWS], low[ROWS];
  number least[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    row[r] = a + a_at.offset + min(first + r, n - 1) * a_at.row;
    high[r] = low[r] = 0;
    least[r] = INFINITY;
  }

  uint j = item;
  for (; j + (UNROLL - 1) * GROUP < end; j += UNROLL * GROUP) {
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
      const Pair factor = load_pair(p, n, j + u * GROUP);
#pragma unroll
      for (int r = 0; r < ROWS; r++) {
        const number x = row[r][j + u * GROUP];
        if (CHECKS) least[r] = lesser(least[r], x);
        add_wide_product(high[r], low[r], (part)x, factor.high, factor.low);
      }
    }
  }
  for (; j < end; j += GROUP) {
    const Pair factor = load_pair(p, n, j);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const number x = row[r][j];
      if (CHECKS) least[r] = lesser(least[r], x);
      add_wide_product(high[r], low[r], (part)x, factor.high, factor.low);
    }
  }

  Sum sums[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) sums[r] = sum_from(high[r], low[r]);
  trees(space, sums, ROWS, add_sums);
  const Pair sum = pair_from(space[has_row ? item : 0][0]);
  if (has_row) {
    store_pair(scale_pair(sum, scale), q, n, own);
    store_pair(divide_pairs(sum, divisor), s, n, own);
  }
#if CHECKS == 1
  barrier(CLK_LOCAL_MEM_FENCE);  // all have read the sums
#pragma unroll
  for (int r = 0; r < ROWS; r++) sums[r] = sum_from((part)least[r], 0);
  trees(space, sums, ROWS, lesser_sum);
  if (has_row) inspect(state, own, pair_from(space[item][0]).high, sum.high);
#endif
}
