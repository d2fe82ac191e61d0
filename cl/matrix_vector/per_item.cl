// y = alpha * A * x + beta * y for CPUs: each work-item has a share of the rows. No barrier, no local memory: a
// work-group is one work-item.
//   MR        rows at a time, of A by rows
//   MC        rows at a time, of A by columns: a multiple of VECTOR
//   VECTOR    numbers of a vector: 4, 8 or 16
//   UNROLL    columns at a time, of A by columns
//   PREFETCH  prefetch distance in elements; 0: none
// Any m, k. Parts of k, where rows are few: see common/parts.cl.

#include "common/parts.cl"

#if !defined(MR) || !defined(MC) || !defined(UNROLL) || !defined(PREFETCH)
#error "MR, MC, UNROLL or PREFETCH is not defined"
#endif

// A by rows: MR of them at a time, by vectors along them.
kernel BY_VECTORS
void matrix_vector_per_item(const Shape shape, const value alpha, const value beta,
                                global const entry* restrict a, const Layout a_at,  // m x k, column == 1
                                global const entry* restrict x, const Layout x_at,  // k x 1, row == 1
                                global result* restrict y, const Layout y_at,       // m x 1
                                global value* restrict scratch) {                   // parts
  const ulong item = get_global_id(0), items = get_global_size(0), part = get_group_id(1);
  const ulong blocks = (shape.m + MR - 1) / MR;
  const ulong begin = part_begin(shape.k, VALUES, part), end = part_begin(shape.k, VALUES, part + 1);
  const ulong whole = begin + (end - begin) / VALUES * VALUES;
  a += a_at.offset;
  x += x_at.offset;
  if (whole == begin) {  // rows shorter than a vector, for which the rest is too much ado
    const ulong last = min(blocks * (item + 1) / items * MR, shape.m);
    for (ulong i = blocks * item / items * MR; i < last; i++) {
      global const entry* row = a + i * a_at.row;
      value sum = 0;
#pragma unroll 1
      for (ulong p = begin; p < end; p++) sum = multiply_add(LOAD_VALUE(row, p), LOAD_X(x, p), sum);
      finish(y, y_at, scratch, shape.m, i, alpha, sum, beta);
    }
    return;
  }
  for (ulong block = blocks * item / items; block < blocks * (item + 1) / items; block++) {
    // MR rows, the last one several times where fewer are left.
    const ulong first = block * MR;
    global const entry* row[MR];
    Products sums[MR];
    value rest[MR];
#pragma unroll
    for (int r = 0; r < MR; r++) {
      row[r] = a + min(first + r, shape.m - 1) * a_at.row;
      sums[r] = no_products();
      rest[r] = 0;
    }
    for (ulong p = begin; p < whole; p += VALUES) {
      const Numbers factor = LOAD_ELEMENTS(x + p);
#pragma unroll
      for (int r = 0; r < MR; r++) {
        PREFETCH_READ(row[r] + p + PREFETCH);
        sums[r] = add_products(LOAD_ELEMENTS(row[r] + p), factor, sums[r]);
      }
    }
    for (ulong p = whole; p < end; p++) {
      const value factor = LOAD_X(x, p);
#pragma unroll
      for (int r = 0; r < MR; r++) rest[r] = multiply_add(LOAD_VALUE(row[r], p), factor, rest[r]);
    }
#pragma unroll
    for (int r = 0; r < MR; r++) {
      if (first + r >= shape.m) continue;
      finish(y, y_at, scratch, shape.m, first + r, alpha, sum_of_products(sums[r]) + rest[r], beta);
    }
  }
}

// Adds `columns` columns, a constant, of `rows` rows, whole vectors. The same rows of the columns after them are
// prefetched before these end.
static inline void add_columns(global value* sums, const ulong rows, const int columns, global const entry* a,
                               const ulong a_column, global const entry* x, const ulong x_row) {
  const ulong ahead = min((ulong)PREFETCH, rows);
  value factor[UNROLL];
#pragma unroll
  for (int c = 0; c < columns; c++) factor[c] = LOAD_X(x, c * x_row);
  for (ulong i = 0; i < rows; i += VALUES) {
    const ulong early = i + ahead < rows ? i + ahead : i + ahead - rows + columns * a_column;
    // Not added to memory in the loop: with few rows, these additions would wait for each other.
    Products sum = no_products();
#pragma unroll
    for (int c = 0; c < columns; c++) {
      PREFETCH_READ(a + c * a_column + early);
      sum = add_multiple(LOAD_ELEMENTS(a + c * a_column + i), factor[c], sum);
    }
    STORE_NUMBERS(LOAD_NUMBERS(sums + i) + sum_of_multiples(sum), sums + i);
  }
}

// A by columns: the sums of MC rows stay in the cache, in scratch, even if there is one part, while the columns' pieces
// are added to them. The last vector of rows reaches beyond the end of its column, at most to the matrix's last
// element. The values that it reads there are not used.
kernel BY_VECTORS
void matrix_vector_per_item_by_columns(const Shape shape, const value alpha, const value beta,
                                   global const entry* restrict a, const Layout a_at,  // m x k, row == 1
                                   global const entry* restrict x, const Layout x_at,  // k x 1
                                   global result* restrict y, const Layout y_at,       // m x 1
                                   global value* restrict scratch) {                   // parts
  const ulong item = get_global_id(0), items = get_global_size(0), part = get_group_id(1);
  const ulong vectors = (shape.m + VALUES - 1) / VALUES;
  const ulong top = vectors * item / items * VALUES, bottom = min(vectors * (item + 1) / items * VALUES, shape.m);
  const ulong begin = part_begin(shape.k, 1, part), end = part_begin(shape.k, 1, part + 1);
  x += x_at.offset;
  for (ulong first = top; first < bottom; first += MC) {
    const ulong rows = min((ulong)MC, bottom - first), padded = (rows + VALUES - 1) / VALUES * VALUES;
    global const entry* block = a + a_at.offset + first;
    global value* sums = scratch + part * part_values(shape.m) + first;
    for (ulong i = 0; i < padded; i += VALUES) STORE_NUMBERS((Numbers)(0), sums + i);

    // The last columns have too little behind them for vectors.
    const ulong lacking = (padded - rows + a_at.column - 1) / max(a_at.column, (ulong)1);
    const ulong whole = min(end, max(shape.k, lacking) - lacking);
    ulong p = begin;
    for (; p + UNROLL <= whole; p += UNROLL) {
      add_columns(sums, padded, UNROLL, block + p * a_at.column, a_at.column, x + p * x_at.row, x_at.row);
    }
    for (; p < whole; p++) {
      add_columns(sums, padded, 1, block + p * a_at.column, a_at.column, x + p * x_at.row, x_at.row);
    }
    for (; p < end; p++) {
      const value factor = LOAD_X(x, p * x_at.row);
      for (ulong i = 0; i < rows; i++) sums[i] = multiply_add(LOAD_VALUE(block, p * a_at.column + i), factor, sums[i]);
    }

    if (get_num_groups(1) > 1) continue;
    for (ulong i = 0; i < rows; i++) finish_row(y, y_at, first + i, alpha, sums[i], beta);
  }
}
