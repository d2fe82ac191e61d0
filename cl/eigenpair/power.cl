// Powers of A for squaring, in double whatever A's type; the products between are multiply's.
//   WIDE  see common/wide.cl

// B = A * power_of_two, rows from `first` on.
kernel void eigenpair_power(const ulong n, const ulong first, global const element* restrict a, const Rows a_at,
                            const double power_of_two, global double* restrict b) {  // both n x n, b dense
  const ulong j = get_global_id(0), i = first + get_global_id(1);
  if (j < n) b[i * n + j] = a[a_at.offset + i * a_at.row + j] * power_of_two;
}

// Brings the spectral radius of B, of which the state knows an upper bound, below 1: powers neither overflow nor vanish.
kernel void eigenpair_power_scale(global const State* restrict state, const ulong elements, global double* restrict b) {
  const ulong i = get_global_id(0);
  const double scale = ldexp(1.0, -1 - ilogb((double)state->upper.high));
  if (i < elements) b[i] *= scale;
}
