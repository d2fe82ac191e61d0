// maximum = max(x): a sub-group finds the largest of SUBGROUP_SIZE elements, one of its lanes compares it atomically.
//   SHUFFLE, SUBGROUP_SIZE, SUB_GROUPS  see common/lanes.cl
//   ATOMICS                             see common/atomics.cl
// Before it vector_max_subgroup_clear has set maximum to -infinity. Any length but 0.

#include "common/vectors.cl"
#include "common/lanes.cl"
#include "common/atomics.cl"

kernel void vector_max_subgroup_clear(global const uint* halt, global element* maximum, const Vector maximum_at) {
  if (*halt == 0) ELEMENT_OF(maximum, maximum_at, 0) = -INFINITY;
}

LANES_GROUP kernel void vector_max_subgroup(global const uint* halt, const ulong length,
                                            global const element* restrict x, const Vector x_at,
                                            global element* restrict maximum, const Vector maximum_at) {
  LANES_SPACE(space, 1);
  const ulong i = (get_group_id(0) * SUB_GROUPS + get_local_id(1)) * SUBGROUP_SIZE + get_local_id(0);
  const number largest = LANES_MAX(space, ELEMENT_OF(x, x_at, min(i, length - 1)));
  if (i < length && *halt == 0 && get_local_id(0) == 0) atomic_max_number(&ELEMENT_OF(maximum, maximum_at, 0), largest);
}
