// v = v * s / maximum, element by element: every work-item reads the maximum.
//   LOCAL_SIZE  work-items of a work-group
// Any length.

#include "common/element.cl"
#include "common/vectors.cl"

#ifndef LOCAL_SIZE
#error "LOCAL_SIZE is not defined"
#endif

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void eigenvector_direct(global const uint* halt, const ulong length, global const element* restrict s,
                        const Vector s_at, global const element* restrict maximum, const Vector maximum_at,
                        global element* restrict v, const Vector v_at) {
  const ulong i = get_global_id(0);
  if (i < length && *halt == 0) {
    ELEMENT_OF(v, v_at, i) *= ELEMENT_OF(s, s_at, i) / ELEMENT_OF(maximum, maximum_at, 0);
  }
}
