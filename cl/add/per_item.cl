// C = alpha * A + beta * B + added, element by element: one work-item per element.
//   LOCAL_SIZE  work-items of a work-group, along the columns
// Any number of rows and columns. A and B may be C; at alpha == 0 A is not read, at beta == 0 B is not.

#include "common/product.cl"

#ifndef LOCAL_SIZE
#error "LOCAL_SIZE is not defined"
#endif

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void add_per_item(const ulong columns, const number alpha, const number beta, const number added,
                  global const element* a, const Layout a_at,  // rows x columns, as B and C
                  global const element* b, const Layout b_at, global element* c, const Layout c_at) {
  const ulong i = get_group_id(1), j = get_global_id(0);
  if (j >= columns) return;
  number sum = added;
  if (alpha != 0) sum = MULTIPLY_ADD(alpha, LOAD(a, a_at.offset + i * a_at.row + j * a_at.column), sum);
  if (beta != 0) sum = MULTIPLY_ADD(beta, LOAD(b, b_at.offset + i * b_at.row + j * b_at.column), sum);
  STORE(sum, c, c_at.offset + i * c_at.row + j * c_at.column);
}
