// s = A * 1: a work-item an element, added to its row's sum atomically.
//   LOCAL_SIZE  work-items of a work-group, beside each other in a row
//   ATOMICS     see common/atomics.cl
// Before it row_sum_atomic_clear has set s to zero. Any number of rows and columns.

#include "common/vectors.cl"
#include "common/atomics.cl"

#ifndef LOCAL_SIZE
#error "LOCAL_SIZE is not defined"
#endif

kernel void row_sum_atomic_clear(global const uint* halt, const ulong rows, global element* s, const Vector s_at) {
  const ulong i = get_global_id(0);
  if (i < rows && *halt == 0) ELEMENT_OF(s, s_at, i) = 0;
}

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void row_sum_atomic(global const uint* halt, const ulong rows, const ulong columns,
                    global const element* restrict a, const Rows a_at,  // rows x columns
                    global element* restrict s, const Vector s_at) {    // rows
  const ulong i = get_global_id(1), j = get_global_id(0);
  if (j < columns && *halt == 0) atomic_add_number(&ELEMENT_OF(s, s_at, i), a[a_at.offset + i * a_at.row + j]);
}
