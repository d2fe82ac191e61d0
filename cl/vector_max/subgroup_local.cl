// maximum = max(x): each sub-group finds the largest of SUBGROUP_SIZE elements, a work-group the largest of its
// sub-groups' in local memory, and one work-item compares it atomically.
//   SHUFFLE, SUBGROUP_SIZE, SUB_GROUPS  see common/lanes.cl
//   ATOMICS                             see common/atomics.cl
// Before it vector_max_subgroup_local_clear has set maximum to -infinity. Any length but 0.

#include "common/vectors.cl"
#include "common/lanes.cl"
#include "common/atomics.cl"

kernel void vector_max_subgroup_local_clear(global const uint* halt, global element* maximum, const Vector maximum_at) {
  if (*halt == 0) ELEMENT_OF(maximum, maximum_at, 0) = -INFINITY;
}

LANES_GROUP kernel void vector_max_subgroup_local(global const uint* halt, const ulong length,
                                                  global const element* restrict x, const Vector x_at,
                                                  global element* restrict maximum, const Vector maximum_at) {
  LANES_SPACE(space, 1);
  local number largest[SUB_GROUPS];
  const ulong i = (get_group_id(0) * SUB_GROUPS + get_local_id(1)) * SUBGROUP_SIZE + get_local_id(0);
  const number own = LANES_MAX(space, ELEMENT_OF(x, x_at, min(i, length - 1)));
  if (get_local_id(0) == 0) largest[get_local_id(1)] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (*halt == 0 && get_local_id(0) == 0 && get_local_id(1) == 0) {
    number all = largest[0];
    for (uint g = 1; g < SUB_GROUPS; g++) all = max(all, largest[g]);
    atomic_max_number(&ELEMENT_OF(maximum, maximum_at, 0), all);
  }
}
