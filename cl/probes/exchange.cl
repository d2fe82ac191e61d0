// Do the lanes of each sub-group read what the others offer? wrong[i] counts what work-item i misread.

#include "common/lanes.cl"

LANES_GROUP kernel void probes_exchange(global uint* restrict wrong) {
  LANES_SPACE(space, 2);
  const uint lane = get_local_id(0), first = get_local_id(1) * SUBGROUP_SIZE;
  uint misread = 0;
  for (uint round = 0; round < 2; round++) {
    const number mine[2] = {(number)(first + lane + 1000 * round), (number)(2 * (first + lane))};
    LANES_SHARE(space, mine, 2);
    for (uint other = 0; other < SUBGROUP_SIZE; other++) {
      if (LANES_READ(space, mine, 0, other) != (number)(first + other + 1000 * round)) misread++;
      if (LANES_READ(space, mine, 1, other) != (number)(2 * (first + other))) misread++;
    }
    LANES_DONE();
  }
  const number value = first + lane;
  if (LANES_SUM(space, value) != (number)(SUBGROUP_SIZE * first + SUBGROUP_SIZE * (SUBGROUP_SIZE - 1) / 2)) misread++;
  if (LANES_MAX(space, value) != (number)(first + SUBGROUP_SIZE - 1)) misread++;
  if (LANES_NEXT(space, value) != (number)(first + min(lane + 1, (uint)SUBGROUP_SIZE - 1))) misread++;
  wrong[first + lane] = misread;
}
