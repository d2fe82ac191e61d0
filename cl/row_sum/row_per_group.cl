// s = A * 1: a work-group a row, its work-items' sums added by a tree: the same bits on every run.
//   LOCAL_SIZE  work-items of a work-group, a power of two
// Any number of rows and columns.

#include "common/element.cl"
#include "common/vectors.cl"
#include "common/tree.cl"

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void row_sum_row_per_group(global const uint* halt, const ulong rows, const ulong columns,
                           global const element* restrict a, const Rows a_at,  // rows x columns
                           global element* restrict s, const Vector s_at) {    // rows
  local number space[LOCAL_SIZE];
  const ulong i = get_group_id(0);
  const bool halted = *halt != 0;
  const ulong end = halted ? 0 : columns;
  a += a_at.offset + i * a_at.row;
  number sum = 0, all;
  for (ulong j = get_local_id(0); j < end; j += LOCAL_SIZE) sum += a[j];
  TREE(space, sum, SUM_OF_TWO, all);
  if (!halted && get_local_id(0) == 0) ELEMENT_OF(s, s_at, i) = all;
}
