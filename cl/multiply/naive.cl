// C = alpha * A * B + beta * C: one work-item per element, everything from global memory.
// Any m, n, k, any work-group.

#include "common/complex.cl"

kernel void multiply_naive(const Shape shape, const value alpha, const value beta,
                           global const entry* restrict a, const Layout a_at,  // m x k
                           global const entry* restrict b, const Layout b_at,  // k x n
                           global result* restrict c, const Layout c_at) {      // m x n
  const ulong i = get_global_id(1), j = get_global_id(0);
  if (i >= shape.m || j >= shape.n) return;
  a += start_of(a_at) + i * a_at.row;
  b += start_of(b_at) + j * b_at.column;
  value sum = 0;
  for (ulong p = 0; p < shape.k; p++) {
    sum = multiply_add(LOAD_A(a, p * a_at.column), LOAD_B(b, p * b_at.row), sum);
  }
  update_value(c, c_at, i, j, alpha, sum, beta);
}
