// s = A * 1: a work-item has a share of the rows, by vectors along them: the same bits on every run.
//   VECTOR  numbers of a vector: 4, 8 or 16
//   UNROLL  vectors of a row that are added side by side
// Any number of rows and columns.

#include "common/vectors.cl"
#include "common/numbers.cl"

#if !defined(VECTOR) || !defined(UNROLL)
#error "VECTOR or UNROLL is not defined"
#endif

kernel BY_VECTORS
void row_sum_row_per_item(global const uint* halt, const ulong rows, const ulong columns,
                          global const element* restrict a, const Rows a_at,  // rows x columns
                          global element* restrict s, const Vector s_at) {    // rows
  if (*halt != 0) return;
  const ulong x = get_global_id(0), xs = get_global_size(0), step = UNROLL * VECTOR;
  for (ulong i = rows * x / xs; i < rows * (x + 1) / xs; i++) {
    global const element* row = a + a_at.offset + i * a_at.row;
    Numbers sums[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) sums[u] = 0;
    ulong j = 0;
    for (; j + step <= columns; j += step) {
#pragma unroll
      for (int u = 0; u < UNROLL; u++) sums[u] += LOAD_NUMBERS(row + j + u * VECTOR);
    }
    number parts[VECTOR], sum = 0;
#pragma unroll
    for (int u = 1; u < UNROLL; u++) sums[0] += sums[u];
    JOIN(vstore, VECTOR)(sums[0], 0, parts);
#pragma unroll
    for (int v = 0; v < VECTOR; v++) sum += parts[v];
    for (; j < columns; j++) sum += row[j];
    ELEMENT_OF(s, s_at, i) = sum;
  }
}
