// B = diag(s)^-1 * A * diag(s): a work-group of MR x LOCAL_SIZE elements reads the s of its rows and of its columns
// once, into local memory.
//   LOCAL_SIZE  columns of a work-group
//   MR          rows of a work-group
// Any n but 0; rows from `first` on. B may be A.

#include "common/element.cl"
#include "common/vectors.cl"

#ifndef LOCAL_SIZE
#error "LOCAL_SIZE is not defined"
#endif
#ifndef MR
#error "MR is not defined"
#endif

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, MR, 1)))
void similarity_transform_cached(global const uint* halt, const ulong n, const ulong first,
                                 global const element* a, const Rows a_at,
                                 global const element* restrict s, const Vector s_at,
                                 global element* b, const Rows b_at) {
  local number of_row[MR], of_column[LOCAL_SIZE];
  const uint x = get_local_id(0), y = get_local_id(1);
  const ulong i = first + get_global_id(1), j = get_global_id(0);
  if (x == 0) of_row[y] = ELEMENT_OF(s, s_at, min(i, n - 1));
  if (y == 0) of_column[x] = ELEMENT_OF(s, s_at, min(j, n - 1));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n && j < n && *halt == 0) {
    b[b_at.offset + i * b_at.row + j] = a[a_at.offset + i * a_at.row + j] * (of_column[x] / of_row[y]);
  }
}
