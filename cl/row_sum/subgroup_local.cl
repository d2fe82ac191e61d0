// s = A * 1: each sub-group sums SUBGROUP_SIZE elements of a row, a work-group adds its sub-groups' sums in local
// memory, and one work-item adds the result to the row's sum atomically.
//   SHUFFLE, SUBGROUP_SIZE, SUB_GROUPS  see common/lanes.cl; a work-group's sub-groups are side by side in a row
//   ATOMICS                             see common/atomics.cl
// Before it row_sum_subgroup_local_clear has set s to zero. Any number of rows and columns.

#include "common/vectors.cl"
#include "common/lanes.cl"
#include "common/atomics.cl"

kernel void row_sum_subgroup_local_clear(global const uint* halt, const ulong rows, global element* s,
                                         const Vector s_at) {
  const ulong i = get_global_id(0);
  if (i < rows && *halt == 0) ELEMENT_OF(s, s_at, i) = 0;
}

LANES_GROUP kernel void row_sum_subgroup_local(global const uint* halt, const ulong rows, const ulong columns,
                                               global const element* restrict a, const Rows a_at,  // rows x columns
                                               global element* restrict s, const Vector s_at) {    // rows
  LANES_SPACE(space, 1);
  local number sums[SUB_GROUPS];
  const ulong i = get_group_id(1);
  const ulong j = (get_group_id(0) * SUB_GROUPS + get_local_id(1)) * SUBGROUP_SIZE + get_local_id(0);
  const bool inside = j < columns && *halt == 0;
  const number sum = LANES_SUM(space, inside ? a[a_at.offset + i * a_at.row + j] : (number)0);
  if (get_local_id(0) == 0) sums[get_local_id(1)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (inside && get_local_id(0) == 0 && get_local_id(1) == 0) {
    number all = 0;
    for (uint g = 0; g < SUB_GROUPS; g++) all += sums[g];
    atomic_add_number(&ELEMENT_OF(s, s_at, i), all);
  }
}
