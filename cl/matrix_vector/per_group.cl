// y = alpha * A * x + beta * y for GPUs: the work-items of a work-group form `rows` rows of lanes, and a tree adds the
// sums of each row.
//   MR          rows of a work-item, of A by rows
//   VECTOR      numbers that a work-item loads at once, 2, 4 or 8: of a row of A by rows, of a column of A by columns
//   UNROLL      loads of a work-item in flight along a row, or columns
//   LOCAL_SIZE  work-items of a work-group, a power of two
// Any m, k. Single values are loaded if vectors would not begin at a multiple of VECTOR. If A has few rows, k is
// split into parts: see common/parts.cl.

#include "common/parts.cl"

#if !defined(MR) || !defined(UNROLL)
#error "MR or UNROLL is not defined"
#endif

static inline void add_along_rows(Products sums[MR], global const entry* const row[MR], global const entry* x,
                               const ulong p) {
  const Numbers factor = LOAD_ALIGNED_ELEMENTS(x + p);
#pragma unroll
  for (int r = 0; r < MR; r++) sums[r] = add_products(LOAD_ALIGNED_ELEMENTS(row[r] + p), factor, sums[r]);
}

static inline void add_values_along_rows(value sums[MR], global const entry* const row[MR], global const entry* x,
                                      const ulong p) {
  const value factor = LOAD_X(x, p);
#pragma unroll
  for (int r = 0; r < MR; r++) sums[r] = multiply_add(LOAD_VALUE(row[r], p), factor, sums[r]);
}

// A by rows: the lanes of a row walk along MR rows of A side by side.
kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void matrix_vector_per_group(const Shape shape, const value alpha, const value beta,
                                 global const entry* restrict a, const Layout a_at,  // m x k, column == 1
                                 global const entry* restrict x, const Layout x_at,  // k x 1, row == 1
                                 global result* restrict y, const Layout y_at,       // m x 1
                                 global value* restrict scratch,                     // parts
                                 const uint rows) {                                  // power of two
  local value space[MR][LOCAL_SIZE];
  const uint item = get_local_id(0), lanes = LOCAL_SIZE / rows, lane = item % lanes, row_of_lanes = item / lanes;
  const ulong top = get_group_id(0) * rows * MR, part = get_group_id(1);
  const ulong begin = part_begin(shape.k, VALUES, part), end = part_begin(shape.k, VALUES, part + 1);
  const bool aligned = (a_at.offset | a_at.row | x_at.offset) % VALUES == 0;
  const ulong whole = aligned ? begin + (end - begin) / VALUES * VALUES : begin;
  x += x_at.offset;
  global const entry* row[MR];
  Products sums[MR];
  value totals[MR];
#pragma unroll
  for (int r = 0; r < MR; r++) {
    row[r] = a + a_at.offset + min(top + r * rows + row_of_lanes, shape.m - 1) * a_at.row;
    sums[r] = no_products();
    totals[r] = 0;
  }

  ulong p = begin + lane * VALUES;
  for (; p + (UNROLL - 1) * lanes * VALUES < whole; p += UNROLL * lanes * VALUES) {
#pragma unroll
    for (int u = 0; u < UNROLL; u++) add_along_rows(sums, row, x, p + u * lanes * VALUES);
  }
  for (; p < whole; p += lanes * VALUES) add_along_rows(sums, row, x, p);

  p = whole + lane;
  for (; p + (UNROLL - 1) * lanes < end; p += UNROLL * lanes) {
#pragma unroll
    for (int u = 0; u < UNROLL; u++) add_values_along_rows(totals, row, x, p + u * lanes);
  }
  for (; p < end; p += lanes) add_values_along_rows(totals, row, x, p);

#pragma unroll
  for (int r = 0; r < MR; r++) totals[r] += sum_of_products(sums[r]);
  LANE_SUMS(space, totals, MR, rows, lane * rows + row_of_lanes);
  // Row i of the work-group's is in space[i / rows][i % rows].
  for (uint i = item; i < MR * rows && top + i < shape.m; i += LOCAL_SIZE) {
    finish(y, y_at, scratch, shape.m, top + i, alpha, space[i / rows][i % rows], beta);
  }
}

static inline void add_column(Products* sums, global const entry* a, const value factor) {
  *sums = add_multiple(LOAD_ALIGNED_ELEMENTS(a), factor, *sums);
}

static inline void add_values_of_column(value sums[VALUES], global const entry* const row[VALUES], const ulong at,
                                const value factor) {
#pragma unroll
  for (int v = 0; v < VALUES; v++) sums[v] = multiply_add(LOAD_VALUE(row[v], at), factor, sums[v]);
}

// A by columns: a work-item has VALUES rows. The lanes of a row step through the columns, `lanes` at a time.
kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void matrix_vector_per_group_by_columns(const Shape shape, const value alpha, const value beta,
                                    global const entry* restrict a, const Layout a_at,  // m x k, row == 1
                                    global const entry* restrict x, const Layout x_at,  // k x 1
                                    global result* restrict y, const Layout y_at,       // m x 1
                                    global value* restrict scratch,                     // parts
                                    const uint rows) {                                  // power of two
  local value space[VALUES][LOCAL_SIZE];
  const uint item = get_local_id(0), lanes = LOCAL_SIZE / rows, lane = item / rows, row_of_lanes = item % rows;
  const ulong top = get_group_id(0) * rows * VALUES, part = get_group_id(1);
  const ulong end = part_begin(shape.k, 1, part + 1);
  // The rows of a work-item are adjacent, or `rows` apart.
  const bool aligned = (a_at.offset | a_at.column) % VALUES == 0 && top + rows * VALUES <= shape.m;
  const uint row_step = aligned ? 1 : rows;
  const ulong first = top + row_of_lanes * (aligned ? VALUES : 1);
  a += a_at.offset;
  x += x_at.offset;
  ulong p = part_begin(shape.k, 1, part) + lane;
  value totals[VALUES];

  if (aligned) {
    a += first;
    Products sums = no_products();
    for (; p + (UNROLL - 1) * lanes < end; p += UNROLL * lanes) {
#pragma unroll
      for (int u = 0; u < UNROLL; u++) {
        const ulong column = p + u * lanes;
        add_column(&sums, a + column * a_at.column, LOAD_X(x, column * x_at.row));
      }
    }
    for (; p < end; p += lanes) add_column(&sums, a + p * a_at.column, LOAD_X(x, p * x_at.row));
    JOIN(vstore, VECTOR)(sum_of_multiples(sums), 0, (private number*)totals);
  } else {
    global const entry* row[VALUES];
#pragma unroll
    for (int v = 0; v < VALUES; v++) {
      row[v] = a + min(first + v * row_step, shape.m - 1);
      totals[v] = 0;
    }
    for (; p + (UNROLL - 1) * lanes < end; p += UNROLL * lanes) {
#pragma unroll
      for (int u = 0; u < UNROLL; u++) {
        const ulong column = p + u * lanes;
        add_values_of_column(totals, row, column * a_at.column, LOAD_X(x, column * x_at.row));
      }
    }
    for (; p < end; p += lanes) add_values_of_column(totals, row, p * a_at.column, LOAD_X(x, p * x_at.row));
  }

  LANE_SUMS(space, totals, VALUES, rows, item);
  if (lane > 0) return;
#pragma unroll
  for (int v = 0; v < VALUES; v++) {
    const ulong i = first + v * row_step;
    if (i < shape.m) finish(y, y_at, scratch, shape.m, i, alpha, space[v][item], beta);
  }
}
