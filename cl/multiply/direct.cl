// C = alpha * A * B + beta * C for small products on CPUs: each work-item computes one rectangle of C after another, as
// tiles of MR x NR elements in vector registers, from A and B without packing. If rows of B are not whole vectors, a
// panel of B is copied first. No barrier, no local memory: a work-group is one work-item.
//   MR, VECTOR, NR_VECTORS, KC  see common/panels.cl; A is not packed
//   UNROLL  steps along k without a branch
//   PREFETCH  1: the operands of a batch's next product are prefetched
// Any m, n, k.

#include "common/tile.cl"

#ifndef UNROLL
#error "UNROLL is not defined"
#endif

// Share: how the host splits the work.
typedef struct {
  ulong batch;    // products
  ulong pieces;   // of each work-item's share of C
  ulong numbers;  // scratch memory of a work-item: a panel of B
} Share;

// Rows of A for a tile. Only `rows` of them exist; the last one is read in place of the others.
typedef struct {
  global const element* first;
  ulong row, column;
  uint rows;
} RowsOfA;

#define CACHE_LINE 64  // bytes

// Next: offsets in elements from a place of this product to the same place of the next one; 0: there is none.
typedef struct {
  ulong a, b, c;
} Next;

// Prefetches, while a tile of this product is computed, the same places in the next product's matrices. All tiles
// together cover these, if no matrix is much longer than the others.
inlined void prefetch_next(const Next next, const Shape shape, global const element* a, const Layout a_at,
                           global const element* b, const Layout b_at, global const output* c, const Layout c_at,
                           const ulong i, const ulong j, const ulong bottom) {
  if (next.c == 0) return;
#pragma unroll
  for (uint r = 0; r < MR; r++) {
    if (i + r >= bottom) break;
#pragma unroll
    for (uint e = 0; e < NR; e += CACHE_LINE / sizeof(element)) {
      if (j + e < shape.k) {
        PREFETCH_READ(a + next.a + (i + r) * a_at.row + (j + e) * a_at.column);
      }
      if (i + r < shape.k) {
        PREFETCH_READ(b + next.b + (i + r) * b_at.row + e * b_at.column);
      }
    }
#pragma unroll
    for (uint e = 0; e < NR; e += CACHE_LINE / sizeof(output)) PREFETCH_WRITE(c + next.c + (i + r) * c_at.row + e);
  }
}

// Adds step p to the first `vectors` vectors of a tile's rows. B's row is in a panel, or in B. The arguments that
// control loops and branches are constants.
inlined void add_step(Numbers tile[MR][NR_VECTORS], const uint vectors, const RowsOfA a, const ulong p,
                      const bool is_panel, global const number* panel, global const element* b, const bool is_whole) {
  Numbers row[NR_VECTORS];
#pragma unroll
  for (uint v = 0; v < NR_VECTORS; v++) {
    if (v >= vectors) continue;
    if (is_panel) {
      row[v] = LOAD_NUMBERS(panel + v * VECTOR);
    } else {
      row[v] = LOAD_ELEMENTS(b + v * VECTOR);
    }
  }
#pragma unroll
  for (uint r = 0; r < MR; r++) {
    const ulong place = (is_whole ? r : min(r, a.rows - 1)) * a.row + p * a.column;
    const Numbers factor = (Numbers)(LOAD(a.first, place));
#pragma unroll
    for (uint v = 0; v < NR_VECTORS; v++) {
      if (v < vectors) tile[r][v] = MULTIPLY_ADD(factor, row[v], tile[r][v]);
    }
  }
}

// `depth` steps from p; rows of B lie `step` apart.
inlined void add_steps(Numbers tile[MR][NR_VECTORS], const uint vectors, const RowsOfA a, ulong p, const ulong depth,
                       const bool is_panel, global const number* panel, global const element* b, const ulong step,
                       const bool is_whole) {
  const ulong end = p + depth;
  for (; p + UNROLL <= end; p += UNROLL) {
#pragma unroll
    for (uint u = 0; u < UNROLL; u++) {
      add_step(tile, vectors, a, p + u, is_panel, panel + u * NR, b + u * step, is_whole);
    }
    panel += UNROLL * NR;
    b += UNROLL * step;
  }
#pragma unroll 1
  for (; p < end; p++) {
    add_step(tile, vectors, a, p, is_panel, panel, b, is_whole);
    panel += NR;
    b += step;
  }
}

// Rows from `top` to `bottom` of `columns` columns of one product, by tiles of `vectors` vectors, a constant.
inlined void multiply_columns(const uint vectors, const Shape shape, const number alpha, const number beta,
                              global const element* a, const Layout a_at, global const element* b,
                              const Layout b_at, global output* c, const Layout c_at,
                              global number* panel, const Next next, const ulong top, const ulong bottom,
                              const ulong j, const uint columns) {
  const bool is_panel = columns < vectors * VECTOR || b_at.column != 1;
  if (is_panel && shape.k <= KC) pack_b(panel, b, b_at.column, columns, b_at.row, shape.k);
  for (ulong i = top; i < bottom; i += MR) {
    // The last rows once more, where they are fewer than a tile's; what was stored is not stored again.
    const ulong first = i + MR <= bottom || bottom < top + MR ? i : bottom - MR;
    const RowsOfA rows = {a + first * a_at.row, a_at.row, a_at.column, min((ulong)MR, bottom - first)};
    prefetch_next(next, shape, a, a_at, b, b_at, c, c_at, i, j, bottom);
    Numbers tile[MR][NR_VECTORS];
#pragma unroll
    for (uint r = 0; r < MR; r++) {
#pragma unroll
      for (uint v = 0; v < NR_VECTORS; v++) tile[r][v] = 0;
    }
    if (rows.rows < MR || (is_panel && shape.k > KC)) {
      for (ulong p = 0; p < shape.k; p += KC) {
        const ulong depth = min((ulong)KC, shape.k - p);
        if (shape.k > KC || !is_panel) pack_b(panel, b + p * b_at.row, b_at.column, columns, b_at.row, depth);
        add_steps(tile, vectors, rows, p, depth, true, panel, b, 0, false);
      }
    } else if (is_panel) {
      add_steps(tile, vectors, rows, 0, shape.k, true, panel, b, 0, true);
    } else {
      add_steps(tile, vectors, rows, 0, shape.k, false, panel, b, b_at.row, true);
    }
    update_tile(tile, alpha, beta, c + first * c_at.row, c_at.row, i - first, rows.rows, columns);
  }
}

#define HALF ((NR_VECTORS + 1) / 2)

// Columns from `left` to `right`: the last ones by half as wide tiles, where those suffice.
static inline void multiply_rectangle(const Shape shape, const number alpha, const number beta,
                                      global const element* restrict a, const Layout a_at,
                                      global const element* restrict b, const Layout b_at,
                                      global output* restrict c, const Layout c_at, global number* restrict panel,
                                      const Next next, const ulong top, const ulong bottom, const ulong left,
                                      const ulong right) {
  for (ulong j = left; j < right; j += NR) {
    const uint columns = min((ulong)NR, right - j);
    if (columns > HALF * VECTOR) {
      multiply_columns(NR_VECTORS, shape, alpha, beta, a, a_at, b + j * b_at.column, b_at, c + j, c_at, panel, next,
                       top, bottom, j, columns);
    } else {
      multiply_columns(HALF, shape, alpha, beta, a, a_at, b + j * b_at.column, b_at, c + j, c_at, panel, next,
                       top, bottom, j, columns);
    }
  }
}

kernel BY_VECTORS
void multiply_direct(const Shape shape, const number alpha, const number beta,
                     global const element* restrict a, const Layout a_at,  // m x k
                     global const element* restrict b, const Layout b_at,  // k x n
                     global output* restrict c, const Layout c_at,        // m x n
                     const Share share, global number* restrict scratch, volatile global uint* counter) {
  global number* panel = scratch + own_number() * share.numbers;
  Rectangle part;
  while (take_rectangle(&part, shape, share.batch, share.pieces, counter)) {
    for (ulong product = part.first_product; product < part.end_product; product++) {
      const bool is_last = product + 1 == part.end_product;
      const Next next = {is_last ? 0 : a_at.batch, is_last ? 0 : b_at.batch, is_last ? 0 : c_at.batch};
      multiply_rectangle(shape, alpha, beta, a + a_at.offset + product * a_at.batch, a_at,
                         b + b_at.offset + product * b_at.batch, b_at, c + c_at.offset + product * c_at.batch, c_at,
                         panel, next, part.top, part.bottom, part.left, part.right);
    }
  }
}
