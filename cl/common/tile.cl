// A tile of MR x NR elements of C in vector registers, and the rectangle of C whose tiles a work-item computes: see
// common/panels.cl.

// A work-item's share of a call: of so many products the same rectangle of C, in whole tiles.
typedef struct {
  ulong top, bottom, left, right;
  ulong first_product, end_product;
  ulong item;  // its number among all
} Rectangle;

// Dimensions 0 and 1 share out the columns and rows, dimension 2 the products.
static inline Rectangle own_rectangle(const Shape shape, const ulong batch) {
  const ulong row_tiles = (shape.m + MR - 1) / MR, column_tiles = (shape.n + NR - 1) / NR;
  const ulong x = get_global_id(0), xs = get_global_size(0), y = get_global_id(1), ys = get_global_size(1);
  const ulong z = get_global_id(2), zs = get_global_size(2);
  const Rectangle own = {row_tiles * y / ys * MR,
                         min(row_tiles * (y + 1) / ys * MR, shape.m),
                         column_tiles * x / xs * NR,
                         min(column_tiles * (x + 1) / xs * NR, shape.n),
                         batch * z / zs,
                         batch * (z + 1) / zs,
                         (z * ys + y) * xs + x};
  return own;
}

// Of a finished tile the rows from `first` to `end`, and `columns` columns, into C.
inlined void update_tile(Numbers tile[MR][NR_VECTORS], const number alpha, const number beta, global output* c,
                               const ulong c_row, const uint first, const uint end, const uint columns) {
#pragma unroll
  for (uint r = 0; r < MR; r++) {
    if (r < first || r >= end) continue;
    global output* row = c + r * c_row;
#pragma unroll
    for (uint v = 0; v < NR_VECTORS; v++) {
      Numbers product = alpha * tile[r][v];
      if (columns >= (v + 1) * VECTOR) {
        if (beta != 0) product = MULTIPLY_ADD(beta, LOAD_OUTPUTS(row + v * VECTOR), product);
        STORE_OUTPUTS(product, row + v * VECTOR);
      } else {
        number part[VECTOR];
        JOIN(vstore, VECTOR)(product, 0, part);
        for (uint q = v * VECTOR; q < columns; q++) {
          const number value = part[q - v * VECTOR];
          STORE(beta == 0 ? value : MULTIPLY_ADD(beta, LOAD(row, q), value), row, q);
        }
      }
    }
  }
}
