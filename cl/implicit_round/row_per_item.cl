// q = A * p * scale, s = A * p / p: a work-item has a share of the rows, MR at a time, by vectors along them. The
// last work-item to end concludes the round, if the state wants that.
//   MR            rows at a time
//   VECTOR        numbers of a vector: 4, 8 or 16
//   PREFETCH      prefetch distance in elements of a row; 0: none
//   ACCUMULATOR   see common/wide.cl: of p, q, s and the sums
//   VALIDATE      1: reports negative, zero and non-finite elements of A to the state
//   DEVICE_FENCE  see common/fences.cl; LOCAL_SIZE is 1
// Any n but 0. A is n x n, or some rows of such a matrix; only rounds of all rows are concluded.

#include "common/vectors.cl"
#include "common/numbers.cl"
#include "common/round_end.cl"

#ifndef MR
#error "MR is not defined"
#endif
#ifndef VECTOR
#error "VECTOR is not defined"
#endif

#ifndef PREFETCH
#error "PREFETCH is not defined"
#endif
#ifndef VALIDATE
#error "VALIDATE is not defined"
#endif

#define TERM JOIN(COMPONENT, VECTOR)
#define LOAD_PARTS(pointer) (*(global const PartsAnywhere*)(pointer))
typedef TERM __attribute__((aligned(sizeof(component)))) PartsAnywhere;
#define TO_PARTS(x) JOIN(JOIN(convert_, COMPONENT), VECTOR)(x)

// Adds the products along a row that is not a whole number of vectors, and the vectors' own numbers.
static inline Pair finished(const TERM high, const TERM low, global const element* row, global const component* p,
                            const ulong n, const ulong from) {
  component highs[VECTOR], lows[VECTOR];
  JOIN(vstore, VECTOR)(high, 0, highs);
  JOIN(vstore, VECTOR)(low, 0, lows);
  Sum sums[VECTOR];
#pragma unroll
  for (int v = 0; v < VECTOR; v++) sums[v] = SUM_FROM(highs[v], lows[v]);
#pragma unroll
  for (int half_ = VECTOR / 2; half_ > 0; half_ /= 2) {
#pragma unroll
    for (int v = 0; v < half_; v++) sums[v] = ADD_SUMS(sums[v], sums[v + half_]);
  }
  Sum sum = sums[0];
  for (ulong j = from; j < n; j++) {
    const Pair factor = load_pair(p, n, j);
    const component x = row[j], product = x * factor.high;
    sum = ADD_SUMS(sum, SUM_FROM(product, fma(x, factor.high, -product) + x * factor.low));
  }
  return pair_from(sum);
}

// The least of a row, likewise.
static inline number minimum_of_row(const Numbers leasts, global const element* row, const ulong n, const ulong from) {
  number all[VECTOR], minimum = INFINITY;
  JOIN(vstore, VECTOR)(leasts, 0, all);
#pragma unroll
  for (int v = 0; v < VECTOR; v++) minimum = LESSER(minimum, all[v]);
  for (ulong j = from; j < n; j++) minimum = LESSER(minimum, row[j]);
  return minimum;
}

kernel BY_VECTORS
void implicit_round_row_per_item(global State* state, const ulong n, const LocalRows local_rows,
                                 global const element* restrict a, const Rows a_at,  // local rows x n
                                 const Ring ring, global const component* restrict p, global component* restrict q,
                                 global component* restrict s) {
  local Extremes space[1];
  local uint told;
  p += place_of(ring, 0);
  q += place_of(ring, 1);
  const bool halted = state->halt != 0;
  const component scale = state->scale;
  const uint conclusion = halted ? NO_CONCLUSION : state->limits.conclusion;
  const ulong m = local_rows.count, blocks = (m + MR - 1) / MR, whole = n / VECTOR * VECTOR;
  const ulong x = get_global_id(0), xs = get_global_size(0);
  // MR rows, the last ones of A where fewer are left; in a smaller A one, several times.
  const bool fits = m >= MR;
  const ulong rows = fits ? MR : 1, step = fits ? a_at.row : 0, begin = blocks * x / xs * MR;
  const ulong end = halted ? 0 : min(blocks * (x + 1) / xs * MR, m);
  Findings found;
  for (ulong first = begin; first < end; first += rows) {
    const ulong top = min(first, m - rows);
    global const element* row = a + a_at.offset + top * a_at.row;
    TERM high[MR], low[MR];
    Numbers minimum[MR];
#pragma unroll
    for (int r = 0; r < MR; r++) {
      high[r] = low[r] = 0;
      minimum[r] = INFINITY;
    }
    for (ulong j = 0; j < whole; j += VECTOR) {
      const TERM factor = LOAD_PARTS(p + j);
#if ACCUMULATOR == 0
      const TERM factor_low = LOAD_PARTS(p + n + j);
#endif
#pragma unroll
      for (int r = 0; r < MR; r++) {
        PREFETCH_READ(row + r * step + j + PREFETCH);
        const Numbers x = LOAD_NUMBERS(row + r * step + j);
        if (VALIDATE) minimum[r] = LESSER(minimum[r], x);
        ADD_WIDE_PRODUCT(high[r], low[r], TO_PARTS(x), factor, factor_low);
      }
    }
#pragma unroll
    for (int r = 0; r < MR; r++) {
      const ulong i = top + r;
      if (r >= rows || i < first) continue;
      const Pair sum = finished(high[r], low[r], row + r * step, p, n, whole);
      const Pair product = scale_pair(sum, scale), ratio = divide_pairs(sum, load_pair(p, n, local_rows.first + i));
      store_pair(product, q, n, i);
      store_pair(ratio, s, n, i);
      const Findings own = found_in_row(ratio, product);
      found = i == begin ? own : joined(found, own);
      if (VALIDATE) inspect(state, i, minimum_of_row(minimum[r], row + r * step, n, whole), sum.high);
    }
  }
  if (conclusion != NO_CONCLUSION) FINDINGS_OF(state)[x] = found;
  if (all_have_arrived(&state->turns.arrived, xs, conclusion == BY_LAST_GROUP, &told)) {
    conclude_round(state, xs, 0, n, q, space);
  }
}
