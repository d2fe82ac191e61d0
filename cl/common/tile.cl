// A tile of MR x NR elements of C in vector registers, and the rectangles of C whose tiles work-items compute: see
// common/panels.cl.

#include "common/panels.cl"

// Rows and columns of C, in whole tiles, for each of some products of a call.
typedef struct {
  ulong top, bottom, left, right;
  ulong first_product, end_product;
} Rectangle;

// The number of a work-item, and how many there are.
static inline ulong own_number(void) {
  return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
}
static inline ulong all_items(void) { return get_global_size(0) * get_global_size(1) * get_global_size(2); }

// Returns the rectangle of the work-item `item`: dimensions 0 and 1 split the columns and rows, dimension 2 the
// products.
static inline Rectangle rectangle_of(const ulong item, const Shape shape, const ulong batch) {
  const ulong row_tiles = (shape.m + MR - 1) / MR, column_tiles = (shape.n + NR - 1) / NR;
  const ulong xs = get_global_size(0), x = item % xs, ys = get_global_size(1), y = item / xs % ys;
  const ulong zs = get_global_size(2), z = item / xs / ys;
  const Rectangle whole = {row_tiles * y / ys * MR,
                           min(row_tiles * (y + 1) / ys * MR, shape.m),
                           column_tiles * x / xs * NR,
                           min(column_tiles * (x + 1) / xs * NR, shape.n),
                           batch * z / zs,
                           batch * (z + 1) / zs};
  return whole;
}

// The middle of a side in whole units of so many elements; its end if it has only one.
static inline ulong middle(const ulong begin, const ulong end, const ulong unit) {
  return min(begin + ((end - begin + unit - 1) / unit + 1) / 2 * unit, end);
}

// Leaves the piece `piece` of `pieces` of a rectangle: half of it, half of the rest, and so on; the last piece is the
// remainder, and may be empty. Products are halved first, then always the longer side: narrow pieces pack many numbers
// for little arithmetic.
static inline void leave_piece(Rectangle* of, const uint piece, const uint pieces) {
  for (uint i = 0; i + 1 < pieces && i <= piece; i++) {
    const bool by_products = of->end_product - of->first_product > 1;
    const bool by_rows = of->bottom - of->top >= of->right - of->left;
    ulong* begin = by_products ? &of->first_product : by_rows ? &of->top : &of->left;
    ulong* end = by_products ? &of->end_product : by_rows ? &of->bottom : &of->right;
    *(i == piece ? end : begin) = middle(*begin, *end, by_products ? 1 : by_rows ? MR : NR);
  }
}

// The next piece of all work-items' rectangles that none has taken; false: there is none. First each of them has one
// of the largest, and whoever is done takes another: cores may differ in speed, and other programs may hold them up.
// `counter` is 0 before a launch and after it.
static inline bool take_rectangle(Rectangle* next, const Shape shape, const ulong batch, const uint pieces,
                                  volatile global uint* counter) {
  const uint items = all_items(), taken = atomic_inc(counter);
  if (taken >= items * pieces) {
    if (taken == items * (pieces + 1) - 1) atomic_xchg(counter, 0u);  // the last one to find none
    return false;
  }
  *next = rectangle_of(taken % items, shape, batch);
  leave_piece(next, taken / items, pieces);
  return true;
}

// Stores rows `first` to `end`, and `columns` columns, of a finished tile into C.
inlined void update_tile(Numbers tile[MR][NR_VECTORS], const value alpha, const value beta, global output* c,
                         const ulong c_row, const uint first, const uint end, const uint columns) {
#pragma unroll
  for (uint r = 0; r < MR; r++) {
    if (r < first || r >= end) continue;
    global output* row = c + r * c_row;
#pragma unroll
    for (uint v = 0; v < NR_VECTORS; v++) {
      if (columns >= (v + 1) * VECTOR) {
        Numbers product = SCALE_NUMBERS(alpha, tile[r][v]);
        if (!IS_ZERO(beta)) product = scale_add_numbers(beta, LOAD_OUTPUTS(row + v * VECTOR), product);
        STORE_OUTPUTS(product, row + v * VECTOR);
      } else {
        value part[VALUES];
        JOIN(vstore, VECTOR)(tile[r][v], 0, (number*)part);
        for (uint q = v * VECTOR; q < columns; q += PARTS) {
          update_value_at((global result*)row, q / PARTS, alpha, part[(q - v * VECTOR) / PARTS], beta);
        }
      }
    }
  }
}
