// C = alpha * A + beta * B + added, element by element: one work-item per element.
//   LOCAL_SIZE  work-items of a work-group, along the columns
// Any number of rows and columns. A and B may be C; at alpha == 0 A is not read, at beta == 0 B is not.

#include "common/complex.cl"

#ifndef LOCAL_SIZE
#error "LOCAL_SIZE is not defined"
#endif

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void add_per_item(const ulong columns, const value alpha, const value beta, const value added,
                  global const entry* a, const Layout a_at,  // rows x columns, as B and C
                  global const entry* b, const Layout b_at, global entry* c, const Layout c_at) {
  const ulong i = get_group_id(1), j = get_global_id(0);
  if (j >= columns) return;
  value sum = added;
  if (!IS_ZERO(alpha)) sum = scale_add(alpha, LOAD_A(a, a_at.offset + i * a_at.row + j * a_at.column), sum);
  if (!IS_ZERO(beta)) sum = scale_add(beta, LOAD_B(b, b_at.offset + i * b_at.row + j * b_at.column), sum);
  STORE_VALUE(sum, c, c_at.offset + i * c_at.row + j * c_at.column);
}
