// y = alpha * A * x + beta * y for GPUs: the work-items of a work-group form `rows` rows of lanes, and a tree adds the
// sums of each row.
//   MR          rows of a work-item, of A by rows
//   VECTOR      elements that a work-item loads at once, 2, 4 or 8: of a row of A by rows, of a column of A by columns
//   UNROLL      loads of a work-item in flight along a row, or columns
//   LOCAL_SIZE  work-items of a work-group, a power of two
// Any m, k. Single elements are loaded if vectors would not begin at a multiple of VECTOR. If A has few rows, k is
// split into parts: see common/parts.cl.

#include "common/numbers.cl"
#include "common/parts.cl"

#if !defined(MR) || !defined(UNROLL)
#error "MR or UNROLL is not defined"
#endif

static inline void add_along_rows(Numbers sums[MR], global const element* const row[MR], global const element* x,
                               const ulong p) {
  const Numbers factor = LOAD_ALIGNED_ELEMENTS(x + p);
#pragma unroll
  for (int r = 0; r < MR; r++) sums[r] = MULTIPLY_ADD(LOAD_ALIGNED_ELEMENTS(row[r] + p), factor, sums[r]);
}

static inline void add_elements_along_rows(number sums[MR], global const element* const row[MR],
                                           global const element* x, const ulong p) {
  const number factor = LOAD(x, p);
#pragma unroll
  for (int r = 0; r < MR; r++) sums[r] = MULTIPLY_ADD(LOAD(row[r], p), factor, sums[r]);
}

// A by rows: the lanes of a row walk along MR rows of A side by side.
kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void matrix_vector_per_group(const Shape shape, const number alpha, const number beta,
                                 global const element* restrict a, const Layout a_at,  // m x k, column == 1
                                 global const element* restrict x, const Layout x_at,  // k x 1, row == 1
                                 global element* restrict y, const Layout y_at,        // m x 1
                                 global number* restrict scratch,                      // parts
                                 const uint rows) {                                    // power of two
  local number space[MR][LOCAL_SIZE];
  const uint item = get_local_id(0), lanes = LOCAL_SIZE / rows, lane = item % lanes, row_of_lanes = item / lanes;
  const ulong top = get_group_id(0) * rows * MR, part = get_group_id(1);
  const ulong begin = part_begin(shape.k, VECTOR, part), end = part_begin(shape.k, VECTOR, part + 1);
  const bool aligned = (a_at.offset | a_at.row | x_at.offset) % VECTOR == 0;
  const ulong whole = aligned ? begin + (end - begin) / VECTOR * VECTOR : begin;
  x += x_at.offset;
  global const element* row[MR];
  Numbers sums[MR];
  number totals[MR];
#pragma unroll
  for (int r = 0; r < MR; r++) {
    row[r] = a + a_at.offset + min(top + r * rows + row_of_lanes, shape.m - 1) * a_at.row;
    sums[r] = 0;
    totals[r] = 0;
  }

  ulong p = begin + lane * VECTOR;
  for (; p + (UNROLL - 1) * lanes * VECTOR < whole; p += UNROLL * lanes * VECTOR) {
#pragma unroll
    for (int u = 0; u < UNROLL; u++) add_along_rows(sums, row, x, p + u * lanes * VECTOR);
  }
  for (; p < whole; p += lanes * VECTOR) add_along_rows(sums, row, x, p);

  p = whole + lane;
  for (; p + (UNROLL - 1) * lanes < end; p += UNROLL * lanes) {
#pragma unroll
    for (int u = 0; u < UNROLL; u++) add_elements_along_rows(totals, row, x, p + u * lanes);
  }
  for (; p < end; p += lanes) add_elements_along_rows(totals, row, x, p);

#pragma unroll
  for (int r = 0; r < MR; r++) totals[r] += sum_of_numbers(sums[r]);
  LANE_SUMS(space, totals, MR, rows, lane * rows + row_of_lanes);
  // Row i of the work-group's is in space[i / rows][i % rows].
  for (uint i = item; i < MR * rows && top + i < shape.m; i += LOCAL_SIZE) {
    finish(y, y_at, scratch, shape.m, top + i, alpha, space[i / rows][i % rows], beta);
  }
}

static inline void add_column(Numbers* sums, global const element* a, const number factor) {
  *sums = MULTIPLY_ADD(LOAD_ALIGNED_ELEMENTS(a), (Numbers)(factor), *sums);
}

static inline void add_elements_of_column(number sums[VECTOR], global const element* const row[VECTOR], const ulong at,
                                const number factor) {
#pragma unroll
  for (int v = 0; v < VECTOR; v++) sums[v] = MULTIPLY_ADD(LOAD(row[v], at), factor, sums[v]);
}

// A by columns: a work-item has VECTOR rows. The lanes of a row step through the columns, `lanes` at a time.
kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void matrix_vector_per_group_by_columns(const Shape shape, const number alpha, const number beta,
                                    global const element* restrict a, const Layout a_at,  // m x k, row == 1
                                    global const element* restrict x, const Layout x_at,  // k x 1
                                    global element* restrict y, const Layout y_at,        // m x 1
                                    global number* restrict scratch,                      // parts
                                    const uint rows) {                                    // power of two
  local number space[VECTOR][LOCAL_SIZE];
  const uint item = get_local_id(0), lanes = LOCAL_SIZE / rows, lane = item / rows, row_of_lanes = item % rows;
  const ulong top = get_group_id(0) * rows * VECTOR, part = get_group_id(1);
  const ulong end = part_begin(shape.k, 1, part + 1);
  // The rows of a work-item are adjacent, or `rows` apart.
  const bool aligned = (a_at.offset | a_at.column) % VECTOR == 0 && top + rows * VECTOR <= shape.m;
  const uint row_step = aligned ? 1 : rows;
  const ulong first = top + row_of_lanes * (aligned ? VECTOR : 1);
  a += a_at.offset;
  x += x_at.offset;
  ulong p = part_begin(shape.k, 1, part) + lane;
  number totals[VECTOR];

  if (aligned) {
    a += first;
    Numbers sums = 0;
    for (; p + (UNROLL - 1) * lanes < end; p += UNROLL * lanes) {
#pragma unroll
      for (int u = 0; u < UNROLL; u++) {
        const ulong column = p + u * lanes;
        add_column(&sums, a + column * a_at.column, LOAD(x, column * x_at.row));
      }
    }
    for (; p < end; p += lanes) add_column(&sums, a + p * a_at.column, LOAD(x, p * x_at.row));
    JOIN(vstore, VECTOR)(sums, 0, totals);
  } else {
    global const element* row[VECTOR];
#pragma unroll
    for (int v = 0; v < VECTOR; v++) {
      row[v] = a + min(first + v * row_step, shape.m - 1);
      totals[v] = 0;
    }
    for (; p + (UNROLL - 1) * lanes < end; p += UNROLL * lanes) {
#pragma unroll
      for (int u = 0; u < UNROLL; u++) {
        const ulong column = p + u * lanes;
        add_elements_of_column(totals, row, column * a_at.column, LOAD(x, column * x_at.row));
      }
    }
    for (; p < end; p += lanes) add_elements_of_column(totals, row, p * a_at.column, LOAD(x, p * x_at.row));
  }

  LANE_SUMS(space, totals, VECTOR, rows, item);
  if (lane > 0) return;
#pragma unroll
  for (int v = 0; v < VECTOR; v++) {
    const ulong i = first + v * row_step;
    if (i < shape.m) finish(y, y_at, scratch, shape.m, i, alpha, space[v][item], beta);
  }
}
