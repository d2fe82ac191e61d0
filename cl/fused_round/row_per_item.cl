// B = diag(s)^-1 * A * diag(s), t = B * 1, in one pass: a work-item has a share of the rows, by vectors along them.
//   VECTOR  numbers of a vector: 4, 8 or 16
// Any n but 0. B may be A. Elements of s are beside each other.

#include "common/vectors.cl"
#include "common/numbers.cl"

#ifndef VECTOR
#error "VECTOR is not defined"
#endif

kernel BY_VECTORS
void fused_round_row_per_item(global const uint* halt, const ulong n, global const element* a, const Rows a_at,
                              global const element* restrict s, const Vector s_at, global element* b,
                              const Rows b_at, global element* restrict t, const Vector t_at) {
  if (*halt != 0) return;
  const ulong x = get_global_id(0), xs = get_global_size(0), whole = n / VECTOR * VECTOR;
  for (ulong i = n * x / xs; i < n * (x + 1) / xs; i++) {
    const number divisor = ELEMENT_OF(s, s_at, i);
    global const element* from = a + a_at.offset + i * a_at.row;
    global element* to = b + b_at.offset + i * b_at.row;
    Numbers sums = 0;
    for (ulong j = 0; j < whole; j += VECTOR) {
      const Numbers value = LOAD_NUMBERS(from + j) * (LOAD_NUMBERS(s + s_at.offset + j) / divisor);
      STORE_NUMBERS(value, to + j);
      sums += value;
    }
    number parts[VECTOR], sum = 0;
    JOIN(vstore, VECTOR)(sums, 0, parts);
#pragma unroll
    for (int v = 0; v < VECTOR; v++) sum += parts[v];
    for (ulong j = whole; j < n; j++) {
      const number value = from[j] * (ELEMENT_OF(s, s_at, j) / divisor);
      to[j] = value;
      sum += value;
    }
    ELEMENT_OF(t, t_at, i) = sum;
  }
}
