// B = diag(s)^-1 * A * diag(s): each work-item reads its rows' and its column's s.
//   LOCAL_SIZE  work-items of a work-group, beside each other in a row
//   MR          rows of a work-group, and of each work-item
// Any n but 0; rows from `first` on. B may be A.

#include "common/element.cl"
#include "common/vectors.cl"

#ifndef LOCAL_SIZE
#error "LOCAL_SIZE is not defined"
#endif
#ifndef MR
#error "MR is not defined"
#endif

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void similarity_transform_direct(global const uint* halt, const ulong n, const ulong first,
                                 global const element* a, const Rows a_at,
                                 global const element* restrict s, const Vector s_at,
                                 global element* b, const Rows b_at) {
  const ulong i = first + get_global_id(1) * MR, j = get_global_id(0);
  if (j >= n || *halt != 0) return;
  const number own = ELEMENT_OF(s, s_at, j);
  number values[MR];
#pragma unroll
  for (int r = 0; r < MR; r++) {
    const ulong row = min(i + r, n - 1);
    // The ratio first: the product of an element and a row sum may be too large.
    values[r] = a[a_at.offset + row * a_at.row + j] * (own / ELEMENT_OF(s, s_at, row));
  }
#pragma unroll
  for (int r = 0; r < MR; r++) {
    if (i + r < n) b[b_at.offset + (i + r) * b_at.row + j] = values[r];
  }
}
