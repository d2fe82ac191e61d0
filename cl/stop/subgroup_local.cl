// converged = 1 if |s_i - s_(i+1)| < tolerance for all i, the last one's neighbour being the first; else 0. A lane has
// its neighbour's value from the next lane, the last lane from memory; sub-groups say no in local memory, a work-group
// atomically.
//   SHUFFLE, SUBGROUP_SIZE, SUB_GROUPS  see common/lanes.cl
// Before it stop_subgroup_local_clear has set converged to 1. Any length but 0.

#include "common/vectors.cl"
#include "common/lanes.cl"

kernel void stop_subgroup_local_clear(global const uint* halt, global int* converged, const Vector converged_at) {
  if (*halt == 0) ELEMENT_OF(converged, converged_at, 0) = 1;
}

LANES_GROUP kernel void stop_subgroup_local(global const uint* halt, const ulong length, const number tolerance,
                                            global const element* restrict s, const Vector s_at,
                                            global int* restrict converged, const Vector converged_at) {
  LANES_SPACE(space, 1);
  local number largest[SUB_GROUPS];
  const ulong i = (get_group_id(0) * SUB_GROUPS + get_local_id(1)) * SUBGROUP_SIZE + get_local_id(0);
  const number own = ELEMENT_OF(s, s_at, min(i, length - 1));
  number next = LANES_NEXT(space, own);
  if (get_local_id(0) == SUBGROUP_SIZE - 1 || i + 1 >= length) next = ELEMENT_OF(s, s_at, i + 1 < length ? i + 1 : 0);
  const number max_difference = i < length ? fabs(own - next) : (number)0;
  // NaN is far apart.
  const number maximum = LANES_MAX(space, max_difference < INFINITY ? max_difference : (number)INFINITY);
  if (get_local_id(0) == 0) largest[get_local_id(1)] = maximum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (*halt == 0 && get_local_id(0) == 0 && get_local_id(1) == 0) {
    number all = largest[0];
    for (uint g = 1; g < SUB_GROUPS; g++) all = max(all, largest[g]);
    if (!(all < tolerance)) atomic_min(&ELEMENT_OF(converged, converged_at, 0), 0);
  }
}
