// maximum = max(x): each work-item compares its element atomically.
//   LOCAL_SIZE  work-items of a work-group
//   ATOMICS     see common/atomics.cl
// Before it vector_max_atomic_clear has set maximum to -infinity. Any length but 0.

#include "common/vectors.cl"
#include "common/atomics.cl"

#ifndef LOCAL_SIZE
#error "LOCAL_SIZE is not defined"
#endif

kernel void vector_max_atomic_clear(global const uint* halt, global element* maximum, const Vector maximum_at) {
  if (*halt == 0) ELEMENT_OF(maximum, maximum_at, 0) = -INFINITY;
}

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void vector_max_atomic(global const uint* halt, const ulong length, global const element* restrict x, const Vector x_at,
                       global element* restrict maximum, const Vector maximum_at) {
  const ulong i = get_global_id(0);
  if (i < length && *halt == 0) atomic_max_number(&ELEMENT_OF(maximum, maximum_at, 0), ELEMENT_OF(x, x_at, i));
}
