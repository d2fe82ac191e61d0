// minimum = min(x), maximum = max(x): in the first pass each work-group finds the bounds of its elements; in the second
// one work-group finds the bounds of these.
//   LOCAL_SIZE  work-items of a work-group, a power of two
// Any length but 0.

#include "common/element.cl"
#include "common/vectors.cl"
#include "common/tree.cl"

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void row_bounds_two_pass(global const uint* halt, const ulong length,
                         global const element* restrict low, const Vector low_at,    // both x in the first pass
                         global const element* restrict high, const Vector high_at,
                         global element* restrict minimum, const Vector minimum_at,
                         global element* restrict maximum, const Vector maximum_at) {
  local number space[LOCAL_SIZE];
  const ulong end = *halt != 0 ? 0 : length;
  number smallest = INFINITY, largest = -INFINITY, all;
  for (ulong i = get_global_id(0); i < end; i += get_global_size(0)) {
    smallest = min(smallest, ELEMENT_OF(low, low_at, i));
    largest = max(largest, ELEMENT_OF(high, high_at, i));
  }
  TREE(space, smallest, min, all);
  if (end > 0 && get_local_id(0) == 0) ELEMENT_OF(minimum, minimum_at, get_group_id(0)) = all;
  TREE(space, largest, max, all);
  if (end > 0 && get_local_id(0) == 0) ELEMENT_OF(maximum, maximum_at, get_group_id(0)) = all;
}
