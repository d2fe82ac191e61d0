// Complex operands as a product of real matrices reads them (see lib/multiply/as_real.hpp). Work-items of dimension 0
// are columns, of dimension 1 rows, and of dimension 2 products of a batch, `batch` numbers or values apart.

#include "common/complex.cl"

// Each value x + iy of B becomes the rows (x, y) and (-y, x): what the real and the imaginary part of a value of A
// contribute to the product. The second row changes its sign if A is conjugated.
kernel void operands_expand(const ulong rows, const ulong columns, const uint conjugates_a, const uint conjugates_b,
                            global const value* restrict from, const Layout at, global value* restrict to,
                            const ulong pitch, const ulong batch) {
  const ulong column = get_global_id(0);
  if (column >= columns) return;
  from += start_of(at) + column * at.column;
  to += get_group_id(2) * batch + column;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    value z = from[row * at.row];
    if (conjugates_b) z = conjugated(z);
    to[2 * row * pitch] = z;
    to[(2 * row + 1) * pitch] = conjugates_a ? (value)(z.y, -z.x) : (value)(-z.y, z.x);
  }
}

// Rows of A without gaps.
kernel void operands_gather(const ulong rows, const ulong columns, global const value* restrict from, const Layout at,
                            global value* restrict to) {
  const ulong column = get_global_id(0);
  if (column >= columns) return;
  from += start_of(at) + column * at.column;
  to += get_group_id(2) * rows * columns + column;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) to[row * columns] = from[row * at.row];
}

// C = alpha * sums + beta * C; `sums` has rows without gaps.
kernel void operands_update(const ulong rows, const ulong columns, const value alpha, global const value* restrict sums,
                            const value beta, global value* restrict c, const Layout at) {
  const ulong column = get_global_id(0);
  if (column >= columns) return;
  sums += get_group_id(2) * rows * columns + column;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    update_value(c, at, row, column, alpha, sums[row * columns], beta);
}
