// C = alpha * A * B + beta * C for CPUs: each work-item owns a rectangle of C. It packs cache-sized blocks
// of A and B into panels in its own scratch memory, and computes tiles of MR x NR elements in vector
// registers (Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication", ACM TOMS 34, 2008). No barrier, no local memory: a work-group is one work-item.
//   MR, VECTOR, NR_VECTORS, KC, A_ROW_MAJOR, PAD, PREFETCH  see common/panels.cl
//   UNROLL  steps along k without a branch
// Any m, n, k: panels are padded with zeros, whose products are not stored.

#ifndef UNROLL
#error "UNROLL is not defined"
#endif

// How the host divides the work.
typedef struct {
  ulong m, n, k;  // a packed block of A, m x k, and the columns of B it is used for; multiples of MR and NR
  ulong numbers;  // scratch memory of a work-item
  ulong batch;    // products, divided among the work-items of dimension 2
} Blocking;

// Adds the outer product of a column of A's panel and a row of B's to the first `vectors` vectors (a compile-time
// constant) of each row of a tile.
inlined void add_column(Numbers tile[MR][NR_VECTORS], const uint vectors, global const number* a,
                        global const number* b) {
  Numbers row[NR_VECTORS];
#pragma unroll
  for (uint v = 0; v < NR_VECTORS; v++) {
    if (v < vectors) row[v] = load_numbers(b + v * VECTOR);
  }
#pragma unroll
  for (uint r = 0; r < MR; r++) {
    const Numbers factor = (Numbers)(a[r * ROW_STEP]);
#pragma unroll
    for (uint v = 0; v < NR_VECTORS; v++) {
      if (v < vectors) tile[r][v] = multiply_add(factor, row[v], tile[r][v]);
    }
  }
}

inlined void add_columns(Numbers tile[MR][NR_VECTORS], const uint vectors, global const number* a,
                         global const number* b, const uint depth) {
#pragma unroll 1
  for (uint p = 0; p < depth; p++, a += COLUMN_STEP, b += NR) add_column(tile, vectors, a, b);
}

// Rows of B's next panel to pack while a tile is computed, one every UNROLL steps.
typedef struct {
  global number* to;
  global const element* from;
  ulong stride;
  uint rows;
} Errand;

inlined void add_product(Numbers tile[MR][NR_VECTORS], global const number* a, global const number* b,
                         const uint depth, Errand errand) {
  uint p = 0;
  for (; p + UNROLL <= depth; p += UNROLL, a += UNROLL * COLUMN_STEP, b += UNROLL * NR) {
    if (errand.rows > 0) {
      errand.rows--;
      copy_row_of_b(errand.to, errand.from, errand.stride);
      errand.from += errand.stride;
      errand.to += NR;
    }
#pragma unroll
    for (uint u = 0; u < UNROLL; u++) add_column(tile, NR_VECTORS, a + u * COLUMN_STEP, b + u * NR);
  }
  add_columns(tile, NR_VECTORS, a, b, depth - p);
}

static inline void load_tile(Numbers tile[MR][NR_VECTORS], global const number* from, const bool is_new) {
#pragma unroll
  for (uint r = 0; r < MR; r++) {
#pragma unroll
    for (uint v = 0; v < NR_VECTORS; v++) {
      tile[r][v] = is_new ? (Numbers)(0) : load_numbers(from + r * NR + v * VECTOR);
    }
  }
}

// Prefetches a tile of C for writing. A partial tile reaches beyond C, which is harmless.
static inline void ask_for_tile(global const element* c, const ulong c_row) {
#pragma unroll
  for (uint r = 0; r < MR; r++) {
#pragma unroll
    for (uint v = 0; v < NR; v += VECTOR) ask_to_write(c + r * c_row + v);
  }
}

static inline void keep_tile(Numbers tile[MR][NR_VECTORS], global number* to) {
#pragma unroll
  for (uint r = 0; r < MR; r++) {
#pragma unroll
    for (uint v = 0; v < NR_VECTORS; v++) store_numbers(tile[r][v], to + r * NR + v * VECTOR);
  }
}

#define HALF ((NR_VECTORS + 1) / 2)

// Rows [top, bottom) and columns [left, right) of one product.
static inline void multiply_rectangle(const Shape shape, const number alpha, const number beta,
                                      global const element* restrict a, const Layout a_at,
                                      global const element* restrict b, const Layout b_at,
                                      global element* restrict c, const Layout c_at, const Blocking block,
                                      global number* restrict a_panels, const ulong top, const ulong bottom,
                                      const ulong left, const ulong right) {
  const ulong panel = panel_numbers(block.k);
  global number* b_panel = a_panels + block.m / MR * panel;
  global number* next_panel = b_panel + NR * block.k;
  global number* sums = next_panel + NR * block.k;  // partial sums between two blocks along k

  for (ulong j0 = left; j0 < right; j0 += block.n) {
    const ulong j1 = min(j0 + block.n, right);
    for (ulong i0 = top; i0 < bottom; i0 += block.m) {
      const ulong i1 = min(i0 + block.m, bottom);
      const uint tiles = (i1 - i0 + MR - 1) / MR;
      ulong p = 0;
      do {  // once even if k is 0, to apply beta
        const uint depth = min(block.k, shape.k - p);
        global const element* b_rows = b + p * b_at.row;
        pack_a(a_panels, a + i0 * a_at.row + p * a_at.column, a_at.row, i1 - i0, a_at.column, depth, panel);
        pack_b(b_panel, b_rows + j0 * b_at.column, b_at.column, min((ulong)NR, j1 - j0), b_at.row, depth);
        global number* sum = sums;
        for (ulong j = j0; j < j1; j += NR) {
          const uint columns = min((ulong)NR, j1 - j);
          // A whole panel from a row-major B is packed while the tiles of the one before are computed.
          const ulong next = min(j + NR, j1);
          const uint next_columns = min((ulong)NR, j1 - next);
          global const element* next_rows = b_rows + next * b_at.column;
          const bool is_whole = next_columns == NR && b_at.column == 1;
          const uint share = is_whole ? min((depth + tiles - 1) / tiles, depth / UNROLL) : 0;
          uint copied = 0;
          global const number* a_panel = a_panels;
          for (ulong i = i0; i < i1; i += MR, sum += MR * NR, a_panel += panel) {
            Numbers tile[MR][NR_VECTORS];
            load_tile(tile, sum, p == 0);
            const Errand errand = {next_panel + copied * NR, next_rows + copied * b_at.row, b_at.row,
                                   min(share, depth - copied)};
            copied += errand.rows;
            if (p + depth >= shape.k) ask_for_tile(c + i * c_at.row + j, c_at.row);
            if (next < j1 || columns > HALF * VECTOR) {
              add_product(tile, a_panel, b_panel, depth, errand);
            } else {
              add_columns(tile, HALF, a_panel, b_panel, depth);
            }
            if (p + depth < shape.k) {
              keep_tile(tile, sum);
            } else {
              update_tile(tile, alpha, beta, c + i * c_at.row + j, c_at.row, 0, min((ulong)MR, i1 - i), columns);
            }
          }
          if (next < j1) {
            pack_b(next_panel + copied * NR, next_rows + copied * b_at.row, b_at.column, next_columns, b_at.row,
                   depth - copied);
          }
          global number* const used = b_panel;
          b_panel = next_panel;
          next_panel = used;
        }
        p += block.k;
      } while (p < shape.k);
    }
  }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void multiply_packed(const Shape shape, const number alpha, const number beta,
                     global const element* restrict a, const Layout a_at,  // m x k
                     global const element* restrict b, const Layout b_at,  // k x n
                     global element* restrict c, const Layout c_at,        // m x n
                     const Blocking block, global number* restrict scratch) {
  const Rectangle own = own_rectangle(shape, block.batch);
  global number* panels = scratch + own.item * block.numbers;
  for (ulong product = own.first_product; product < own.end_product; product++) {
    multiply_rectangle(shape, alpha, beta, a + a_at.offset + product * a_at.batch, a_at,
                       b + b_at.offset + product * b_at.batch, b_at, c + c_at.offset + product * c_at.batch, c_at,
                       block, panels, own.top, own.bottom, own.left, own.right);
  }
}
