// q = A * p * scale, s = A * p / p: a work-group MR rows, its work-items' sums added by a tree. The last work-group
// concludes the round, if the state wants that; a launch may then do several, along the ring that p and q are of.
//   LOCAL_SIZE    work-items of a work-group, a power of two
//   MR            rows of a work-group
//   UNROLL        elements of a row that a work-item loads at a time
//   CACHED_MIB    see common/cache_policies.cl: of A
//   ACCUMULATOR   see common/wide.cl: of p, q, s and the sums
//   VALIDATE      1: reports negative, zero and non-finite elements of A to the state
//   DEVICE_FENCE  see common/fences.cl
// Any n but 0. A is n x n, or some rows of such a matrix; only rounds of all rows are concluded.

#include "common/vectors.cl"
#include "common/cache_policies.cl"
#include "common/round_end.cl"

#ifndef MR
#error "MR is not defined"
#endif
#ifndef UNROLL
#error "UNROLL is not defined"
#endif
#ifndef VALIDATE
#error "VALIDATE is not defined"
#endif

#define TERM component

// Elements j, j + LOCAL_SIZE ... of each row.
inlined void load_columns(number x[MR][UNROLL], const CachePolicy policy, global const element* const row[MR],
                          const uint j) {
#pragma unroll
  for (int u = 0; u < UNROLL; u++) {
#pragma unroll
    for (int r = 0; r < MR; r++) x[r][u] = LOAD_BY(policy, row[r] + j + u * LOCAL_SIZE);
  }
}

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void implicit_round_row_per_group(global State* state, const ulong n, const LocalRows local_rows,
                                  global const element* restrict a, const Rows a_at,  // local rows x n
                                  const Ring ring, global component* p, global component* q,
                                  global component* restrict s) {
  local union {
    Sum sums[MR][LOCAL_SIZE];
    Findings findings[MR];
    Extremes extremes[LOCAL_SIZE];
  } space;
  local uint told;
  const ulong m = local_rows.count;
  const uint groups = (m + MR - 1) / MR, rounds = get_num_groups(0) / groups;
  const uint ticket = take_ticket(&state->turns, rounds, &told), round = ticket / groups, group = ticket % groups;
  const uint item = get_local_id(0);
  const CachePolicy policy = policy_for(a + a_at.offset, m * a_at.row * sizeof(element));
  const ulong first = (ulong)group * MR;
  global const element* row[MR];
#pragma unroll
  for (int r = 0; r < MR; r++) row[r] = a + a_at.offset + min(first + r, m - 1) * a_at.row;
  number x[MR][UNROLL];  // requested before the turn, which they do not depend on
  if (item + (UNROLL - 1) * LOCAL_SIZE < n) load_columns(x, policy, row, item);
  wait_for_turn(&state->turns, round);
  // Two cases, so that the places are not computed again where vectors are read, which took 5 % of a round.
  if (ring.size == 2) {
    q = p + ring.stride;
    if ((ring.index + round) % 2 == 1) {
      global component* const last = q;
      q = p;
      p = last;
    }
  } else {
    p += place_of(ring, round);
    q += place_of(ring, round + 1);
  }
  const bool halted = state->halt != 0;
  const uint end = halted ? 0 : n;
  const bool has_row = !halted && item < MR && first + item < m;
  const ulong own = min(first + item, m - 1);
  const Pair divisor = load_pair(p, n, local_rows.first + own);  // long before it is needed
  const component scale = state->scale;
  const uint conclusion = halted ? NO_CONCLUSION : state->limits.conclusion;
  component high[MR], low[MR];
  number minimum[MR];
#pragma unroll
  for (int r = 0; r < MR; r++) {
    high[r] = low[r] = 0;
    minimum[r] = INFINITY;
  }

  uint j = item;
  for (; j + (UNROLL - 1) * LOCAL_SIZE < end; j += UNROLL * LOCAL_SIZE) {
    if (j != item) load_columns(x, policy, row, j);
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
      const Pair factor = load_pair(p, n, j + u * LOCAL_SIZE);
#pragma unroll
      for (int r = 0; r < MR; r++) {
        if (VALIDATE) minimum[r] = LESSER(minimum[r], x[r][u]);
        ADD_WIDE_PRODUCT(high[r], low[r], (component)x[r][u], factor.high, factor.low);
      }
    }
  }
  for (; j < end; j += LOCAL_SIZE) {
    const Pair factor = load_pair(p, n, j);
#pragma unroll
    for (int r = 0; r < MR; r++) {
      const number x = LOAD_BY(policy, row[r] + j);
      if (VALIDATE) minimum[r] = LESSER(minimum[r], x);
      ADD_WIDE_PRODUCT(high[r], low[r], (component)x, factor.high, factor.low);
    }
  }

  Sum sums[MR];
#pragma unroll
  for (int r = 0; r < MR; r++) sums[r] = SUM_FROM(high[r], low[r]);
  TREES(space.sums, sums, MR, ADD_SUMS);
  const Pair sum = pair_from(space.sums[has_row ? item : 0][0]);
  const Pair product = scale_pair(sum, scale), ratio = has_row ? divide_pairs(sum, divisor) : sum;
  if (has_row) {
    store_pair(product, q, n, own);
    store_pair(ratio, s, n, own);
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // all have read the sums
#if VALIDATE == 1
#pragma unroll
  for (int r = 0; r < MR; r++) sums[r] = SUM_FROM((component)minimum[r], 0);
  TREES(space.sums, sums, MR, LESSER_SUM);
  if (has_row) inspect(state, own, pair_from(space.sums[item][0]).high, sum.high);
  barrier(CLK_LOCAL_MEM_FENCE);  // all have read the minima
#endif

  if (has_row) space.findings[item] = found_in_row(ratio, product);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (conclusion != NO_CONCLUSION && item == 0) {
    Findings found = space.findings[0];
    for (uint r = 1; r < min((ulong)MR, m - first); r++) found = joined(found, space.findings[r]);
    FINDINGS_OF(state)[group] = found;
  }
  if (all_have_arrived(&state->turns.arrived, groups, conclusion == BY_LAST_GROUP, &told)) {
    conclude_round(state, groups, round + 1 < rounds ? round + 1 : 0, n, q, space.extremes);
  }
}
