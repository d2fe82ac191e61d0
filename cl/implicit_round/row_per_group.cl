// q = A * p * scale, s = A * p / p: a work-group MR rows, its work-items' sums added by a tree.
//   LOCAL_SIZE   work-items of a work-group, a power of two
//   MR    rows of a work-group
//   UNROLL  elements of a row that a work-item has under way
//   ACCUMULATOR    see common/wide.cl: of p, q, s and the sums
//   VALIDATE  1: the state is told what A's elements are
// Any n but 0.

#ifndef MR
#error "MR is not defined"
#endif
#ifndef UNROLL
#error "UNROLL is not defined"
#endif
#ifndef VALIDATE
#error "VALIDATE is not defined"
#endif

#define TERM part

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void implicit_round_row_per_group(global State* state, const ulong n,
                                  global const element* restrict a, const Rows a_at,  // n x n
                                  global const part* restrict p, global part* restrict q, global part* restrict s) {
  local Sum space[MR][LOCAL_SIZE];
  const bool halted = state->halt != 0;
  const uint end = halted ? 0 : n, item = get_local_id(0);
  const ulong first = get_group_id(0) * MR;
  const bool has_row = !halted && item < MR && first + item < n;
  const ulong own = min(first + item, n - 1);
  const Pair divisor = load_pair(p, n, own);  // long before it is needed
  const part scale = state->scale;
  global const element* row[MR];
  part high[MR], low[MR];
  number minimum[MR];
#pragma unroll
  for (int r = 0; r < MR; r++) {
    row[r] = a + a_at.offset + min(first + r, n - 1) * a_at.row;
    high[r] = low[r] = 0;
    minimum[r] = INFINITY;
  }

  uint j = item;
  for (; j + (UNROLL - 1) * LOCAL_SIZE < end; j += UNROLL * LOCAL_SIZE) {
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
      const Pair factor = load_pair(p, n, j + u * LOCAL_SIZE);
#pragma unroll
      for (int r = 0; r < MR; r++) {
        const number x = row[r][j + u * LOCAL_SIZE];
        if (VALIDATE) minimum[r] = lesser(minimum[r], x);
        add_wide_product(high[r], low[r], (part)x, factor.high, factor.low);
      }
    }
  }
  for (; j < end; j += LOCAL_SIZE) {
    const Pair factor = load_pair(p, n, j);
#pragma unroll
    for (int r = 0; r < MR; r++) {
      const number x = row[r][j];
      if (VALIDATE) minimum[r] = lesser(minimum[r], x);
      add_wide_product(high[r], low[r], (part)x, factor.high, factor.low);
    }
  }

  Sum sums[MR];
#pragma unroll
  for (int r = 0; r < MR; r++) sums[r] = sum_from(high[r], low[r]);
  trees(space, sums, MR, add_sums);
  const Pair sum = pair_from(space[has_row ? item : 0][0]);
  if (has_row) {
    store_pair(scale_pair(sum, scale), q, n, own);
    store_pair(divide_pairs(sum, divisor), s, n, own);
  }
#if VALIDATE == 1
  barrier(CLK_LOCAL_MEM_FENCE);  // all have read the sums
#pragma unroll
  for (int r = 0; r < MR; r++) sums[r] = sum_from((part)minimum[r], 0);
  trees(space, sums, MR, lesser_sum);
  if (has_row) inspect(state, own, pair_from(space[item][0]).high, sum.high);
#endif
}
