// q = A * p * scale, s = A * p / p: a work-item has a share of the rows, ROWS at a time, by vectors along them.
//   ROWS    rows at a time
//   VECTOR  numbers of a vector: 4, 8 or 16
//   WIDE    see common/wide.cl: of p, q, s and the sums
// Any n but 0.

#ifndef ROWS
#error "ROWS is not defined"
#endif
#ifndef VECTOR
#error "VECTOR is not defined"
#endif

#define TERM JOIN(PART, VECTOR)
#define load_parts(pointer) JOIN(vload, VECTOR)(0, pointer)
#define load_elements(pointer) JOIN(JOIN(convert_, PART), VECTOR)(JOIN(vload, VECTOR)(0, pointer))

// Adds the products along a row that is not a whole number of vectors, and the vectors' own numbers.
static inline Pair finished(const TERM high, const TERM low, global const element* row, global const part* p,
                            const ulong n, const ulong from) {
  part highs[VECTOR], lows[VECTOR];
  JOIN(vstore, VECTOR)(high, 0, highs);
  JOIN(vstore, VECTOR)(low, 0, lows);
  Pair sum = {0, 0};
#pragma unroll
  for (int v = 0; v < VECTOR; v++) sum = add_pairs(sum, pair_of(highs[v], lows[v]));
  for (ulong j = from; j < n; j++) {
    const Pair factor = load_pair(p, n, j);
    const part x = row[j], product = x * factor.high;
    sum = add_pairs(sum, pair_of(product, fma(x, factor.high, -product) + x * factor.low));
  }
  return sum;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void implicit_round_row_per_item(global const State* state, const ulong n,
                                 global const element* restrict a, const Rows a_at,  // n x n
                                 global const part* restrict p, global part* restrict q, global part* restrict s) {
  if (state->halt != 0) return;
  const part scale = state->scale;
  const ulong blocks = (n + ROWS - 1) / ROWS, whole = n / VECTOR * VECTOR;
  const ulong x = get_global_id(0), xs = get_global_size(0);
  for (ulong first = blocks * x / xs * ROWS; first < min(blocks * (x + 1) / xs * ROWS, n); first += ROWS) {
    global const element* row[ROWS];
    TERM high[ROWS], low[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      row[r] = a + a_at.offset + min(first + r, n - 1) * a_at.row;
      high[r] = low[r] = 0;
    }
    for (ulong j = 0; j < whole; j += VECTOR) {
      const TERM factor = load_parts(p + j);
#if WIDE == 0
      const TERM factor_low = load_parts(p + n + j);
#endif
#pragma unroll
      for (int r = 0; r < ROWS; r++) add_wide_product(high[r], low[r], load_elements(row[r] + j), factor, factor_low);
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      if (first + r >= n) continue;
      const Pair sum = finished(high[r], low[r], row[r], p, n, whole);
      store_pair(scale_pair(sum, scale), q, n, first + r);
      store_pair(divide_pairs(sum, load_pair(p, n, first + r)), s, n, first + r);
    }
  }
}
