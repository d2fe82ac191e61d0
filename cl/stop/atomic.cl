// converged = 1 if |s_i - s_(i+1)| < tolerance for all i, the last one's neighbour being the first; else 0. Each
// work-item reads both, and says no atomically.
//   LOCAL_SIZE  work-items of a work-group
// Before it stop_atomic_clear has set converged to 1. Any length but 0.

#include "common/element.cl"
#include "common/vectors.cl"

#ifndef LOCAL_SIZE
#error "LOCAL_SIZE is not defined"
#endif

kernel void stop_atomic_clear(global const uint* halt, global int* converged, const Vector converged_at) {
  if (*halt == 0) ELEMENT_OF(converged, converged_at, 0) = 1;
}

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void stop_atomic(global const uint* halt, const ulong length, const number tolerance,
                 global const element* restrict s, const Vector s_at, global int* restrict converged,
                 const Vector converged_at) {
  const ulong i = get_global_id(0);
  if (i < length && *halt == 0) {
    const number next = ELEMENT_OF(s, s_at, i + 1 < length ? i + 1 : 0);
    if (!(fabs(ELEMENT_OF(s, s_at, i) - next) < tolerance)) atomic_min(&ELEMENT_OF(converged, converged_at, 0), 0);
  }
}
