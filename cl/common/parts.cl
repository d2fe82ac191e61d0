// Sums along k in parts: dimension 1 of a launch has one work-group per part. If there is one part, its sums go to y.
// Otherwise they go to scratch, part after part, and matrix_vector_add_parts adds them.

#include "common/lane_sums.cl"
#include "common/values.cl"

// Returns the first step of part `part` of k: a multiple of `unit`, or k.
static inline ulong part_begin(const ulong k, const uint unit, const ulong part) {
  return min((k + unit - 1) / unit * part / get_num_groups(1) * unit, k);
}

// Values of scratch memory from one part to the next: whole vectors of any size.
static inline ulong part_values(const ulong m) { return (m + 15) / 16 * 16; }

// Stores the sum of row i of all parts.
static inline void finish_row(global result* y, const Layout y_at, const ulong i, const value alpha, const value sum,
                              const value beta) {
  update_value(y, y_at, i, 0, alpha, SUM_OF_A(sum), beta);
}

// Stores this part's sum of row i.
static inline void finish(global result* y, const Layout y_at, global value* scratch, const ulong m, const ulong i,
                          const value alpha, const value sum, const value beta) {
  if (get_num_groups(1) == 1) {
    finish_row(y, y_at, i, alpha, sum, beta);
  } else {
    scratch[get_group_id(1) * part_values(m) + i] = sum;
  }
}

// y = alpha * (the sum of the parts) + beta * y. The work-items of a work-group form `rows` rows of lanes, whose sums
// are added by a tree. Any m, any number of parts.
kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void matrix_vector_add_parts(const ulong m, const ulong parts, const value alpha, const value beta,
                             global const value* restrict scratch,          // parts
                             global result* restrict y, const Layout y_at,  // m x 1
                             const uint rows) {                             // power of two
  local value space[1][LOCAL_SIZE];
  const uint item = get_local_id(0), lanes = LOCAL_SIZE / rows;
  const ulong i = get_group_id(0) * rows + item % rows;
  scratch += min(i, m - 1);
  value sum = 0;
  for (ulong part = item / rows; part < parts; part += lanes) sum += scratch[part * part_values(m)];
  LANE_SUMS(space, &sum, 1, rows, item);
  if (item < rows && i < m) finish_row(y, y_at, i, alpha, space[0][item], beta);
}

// to = x, one element after the other: for kernels that load x by vectors. Any number of work-items.
kernel void matrix_vector_pack(const ulong k, global const entry* restrict x, const Layout x_at,  // k x 1
                               global entry* restrict to) {                                       // k
  for (ulong p = get_global_id(0); p < k; p += get_global_size(0)) {
    STORE_VALUE(LOAD_VALUE(x, x_at.offset + p * x_at.row), to, p);
  }
}
