// v = v * s / maximum, element by element: one lane of a sub-group reads the maximum, the others get it from there.
//   SHUFFLE, SUBGROUP_SIZE, SUB_GROUPS  see common/lanes.cl
// Any length.

#include "common/vectors.cl"
#include "common/lanes.cl"

LANES_GROUP kernel void eigenvector_broadcast(global const uint* halt, const ulong length,
                                              global const element* restrict s, const Vector s_at,
                                              global const element* restrict maximum, const Vector maximum_at,
                                              global element* restrict v, const Vector v_at) {
  LANES_SPACE(space, 1);
  const ulong i = (get_group_id(0) * SUB_GROUPS + get_local_id(1)) * SUBGROUP_SIZE + get_local_id(0);
  const number mine[1] = {get_local_id(0) == 0 ? ELEMENT_OF(maximum, maximum_at, 0) : (number)0};
  LANES_SHARE(space, mine, 1);
  const number divisor = LANES_READ(space, mine, 0, 0);
  LANES_DONE();
  if (i < length && *halt == 0) ELEMENT_OF(v, v_at, i) *= ELEMENT_OF(s, s_at, i) / divisor;
}
