// maximum = max(x): in the first pass each work-group finds the largest of its elements; in the second one work-group
// finds the largest of these.
//   LOCAL_SIZE  work-items of a work-group, a power of two
// Any length but 0.

#include "common/element.cl"
#include "common/vectors.cl"
#include "common/tree.cl"

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void vector_max_two_pass(global const uint* halt, const ulong length, global const element* restrict x,
                         const Vector x_at, global element* restrict maximum, const Vector maximum_at) {
  local number space[LOCAL_SIZE];
  const ulong end = *halt != 0 ? 0 : length;
  number largest = -INFINITY, all;
  for (ulong i = get_global_id(0); i < end; i += get_global_size(0)) largest = max(largest, ELEMENT_OF(x, x_at, i));
  TREE(space, largest, max, all);
  if (end > 0 && get_local_id(0) == 0) ELEMENT_OF(maximum, maximum_at, get_group_id(0)) = all;
}
