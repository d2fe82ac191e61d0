// C = alpha * A * B + beta * C for CPUs: each work-item takes one rectangle of C after another. It packs cache-sized
// blocks of A and B into panels in its own scratch memory, and computes tiles of MR x NR elements in vector registers
// (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34, 2008). No barrier, no
// local memory: a work-group is one work-item.
//   MR, VECTOR, NR_VECTORS, KC, A_ROW_MAJOR, PAD, PREFETCH  see common/panels.cl
//   UNROLL  steps along k without a branch
// Any m, n, k: panels are padded with zeros, whose products are not stored.

#include "common/tile.cl"

#ifndef UNROLL
#error "UNROLL is not defined"
#endif

// Blocking: how the host divides the work.
typedef struct {
  ulong m, n, k;  // the largest packed blocks, m x k of A and k x n of B; m and n are multiples of MR and NR
  ulong parts;    // along k: as many blocks
  ulong height;   // rows of C for which a block of B is packed, and partial sums are kept
  ulong numbers;  // scratch memory of a work-item
  ulong batch;    // products
  ulong pieces;   // of each work-item's share of C
} Blocking;

// Adds the outer product of a column of A's panel and a row of B's to the first `vectors` vectors (a compile-time
// constant) of each row of a tile.
inlined void add_column(Numbers tile[MR][NR_VECTORS], const uint vectors, global const number* a,
                        global const number* b) {
  Numbers row[NR_VECTORS];
#pragma unroll
  for (uint v = 0; v < NR_VECTORS; v++) {
    if (v < vectors) row[v] = LOAD_NUMBERS(b + v * VECTOR);
  }
#pragma unroll
  for (uint r = 0; r < MR; r++) {
    const Numbers factor = (Numbers)(a[r * ROW_STEP]);
#pragma unroll
    for (uint v = 0; v < NR_VECTORS; v++) {
      if (v < vectors) tile[r][v] = MULTIPLY_ADD(factor, row[v], tile[r][v]);
    }
  }
}

inlined void add_columns(Numbers tile[MR][NR_VECTORS], const uint vectors, global const number* a,
                         global const number* b, const uint depth) {
#pragma unroll 1
  for (uint p = 0; p < depth; p++, a += COLUMN_STEP, b += NR) add_column(tile, vectors, a, b);
}

// The same for the vectors that hold `columns` columns, fewer than all.
inlined void add_columns_of(Numbers tile[MR][NR_VECTORS], const uint columns, global const number* a,
                            global const number* b, const uint depth) {
#pragma unroll
  for (uint vectors = 1; vectors < NR_VECTORS; vectors++) {
    if ((columns + VECTOR - 1) / VECTOR == vectors) add_columns(tile, vectors, a, b, depth);
  }
}

#define CHUNK (UNROLL > VECTOR ? UNROLL : VECTOR)

// Packing during a tile: work that is done while the tile is computed, a part of it every CHUNK steps.
typedef struct {
  global const element* a;  // the tile's rows of A, to be packed just before they are used; null if they are packed
  ulong a_row;
  global number* next_panel;  // of B: `b_rows` rows of it are packed
  global const element* b;
  ulong b_row;
  uint b_rows;
  global const char* result;  // where the tile is stored: its rows are prefetched. A partial tile reaches beyond, which is
  ulong result_row;           // harmless. `result_row` is in bytes
} Errands;

// Packs `depth` columns, from column p, of a tile's rows of A.
inlined void pack_columns_of_a(global number* to, const Errands errands, const uint p, const uint depth) {
#pragma unroll
  for (uint r = 0; r < MR; r++) {
    global const element* from = errands.a + r * errands.a_row + p;
    if (depth == CHUNK) {
#pragma unroll
      for (uint v = 0; v < CHUNK; v += VECTOR) {
        PREFETCH_READ(from + MR * errands.a_row + v);
        STORE_NUMBERS(LOAD_ELEMENTS(from + v), to + r * ROW_STEP + p + v);
      }
    } else {
      for (uint q = 0; q < depth; q++) to[r * ROW_STEP + p + q] = LOAD(from, q);
    }
  }
}

inlined void add_product(Numbers tile[MR][NR_VECTORS], global number* a, global const number* b, const uint depth,
                         Errands errands) {
  const uint whole = depth / CHUNK * CHUNK;
  for (uint p = 0; p < whole; p += CHUNK) {
    if (errands.a) pack_columns_of_a(a, errands, p, CHUNK);
    if (errands.b_rows > 0) {
      errands.b_rows -= PARTS;
      copy_rows_of_b(errands.next_panel, errands.b);
      errands.b += PARTS * errands.b_row;
      errands.next_panel += PARTS * NR;
    }
    if (p < MR * CHUNK) {
#pragma unroll
      for (uint v = 0; v < NR; v += VECTOR) PREFETCH_WRITE(errands.result + v * sizeof(number));
      errands.result += errands.result_row;
    }
    for (uint q = p; q < p + CHUNK; q += UNROLL, b += UNROLL * NR) {
#pragma unroll
      for (uint u = 0; u < UNROLL; u++) add_column(tile, NR_VECTORS, a + (q + u) * COLUMN_STEP, b + u * NR);
    }
  }
  if (errands.a) pack_columns_of_a(a, errands, whole, depth - whole);
  add_columns(tile, NR_VECTORS, a + whole * COLUMN_STEP, b, depth - whole);
}

static inline void add_sum(Numbers tile[MR][NR_VECTORS], global const number* from) {
#pragma unroll
  for (uint r = 0; r < MR; r++) {
#pragma unroll
    for (uint v = 0; v < NR_VECTORS; v++) tile[r][v] += LOAD_NUMBERS(from + r * NR + v * VECTOR);
  }
}

static inline void keep_tile(Numbers tile[MR][NR_VECTORS], global number* to) {
#pragma unroll
  for (uint r = 0; r < MR; r++) {
#pragma unroll
    for (uint v = 0; v < NR_VECTORS; v++) STORE_NUMBERS(tile[r][v], to + r * NR + v * VECTOR);
  }
}

// Rows [top, bottom) and columns [left, right) of one product.
static inline void multiply_rectangle(const Shape shape, const value alpha, const value beta,
                                      global const element* restrict a, const Layout a_at,
                                      global const element* restrict b, const Layout b_at,
                                      global output* restrict c, const Layout c_at, const Blocking block,
                                      global number* restrict a_panels, const ulong top, const ulong bottom,
                                      const ulong left, const ulong right) {
  const ulong a_size = panel_numbers(block.k), b_size = NR * block.k;
  global number* const b_panels = a_panels + block.m / MR * a_size;
  global number* const sums = b_panels + block.n / NR * b_size;
  const ulong chunks = (shape.k + CHUNK - 1) / CHUNK;

  for (ulong j0 = left; j0 < right; j0 += block.n) {
    const ulong j1 = min(j0 + block.n, right);
    for (ulong m0 = top; m0 < bottom; m0 += block.height) {
      const ulong m1 = min(m0 + block.height, bottom);
      for (ulong part = 0; part < block.parts; part++) {
        const bool is_last = part + 1 == block.parts;
        const ulong p = chunks * part / block.parts * CHUNK;
        const uint depth = min(chunks * (part + 1) / block.parts * CHUNK, shape.k) - p;
        global const element* b_rows = b + p * b_at.row;
        global number* sum = sums;
        pack_b(b_panels, b_rows + j0 * b_at.column, b_at.column, min((ulong)NR, j1 - j0), b_at.row, depth);
        for (ulong i0 = m0; i0 < m1; i0 += block.m) {
          const ulong i1 = min(i0 + block.m, m1);
          const uint tiles = (i1 - i0 + MR - 1) / MR;
          global const element* a_rows = a + i0 * a_at.row + p * a_at.column;
          // Whole tiles of a row-major A are packed while tiles of the first panel of B are computed.
          const uint later =
              A_ROW_MAJOR && a_at.column == 1 && j1 - j0 >= NR ? (i1 - i0) / MR * MR : 0;
          pack_a(a_panels + later / MR * a_size, a_rows + later * a_at.row, a_at.row, i1 - i0 - later, a_at.column,
                 depth, a_size);
          global number* b_panel = b_panels;
          for (ulong j = j0; j < j1; j += NR, b_panel += b_size) {
            const uint columns = min((ulong)NR, j1 - j);
            // With the first block of A, the next panel of B is packed. If B is row-major and the panel is whole, it is
            // packed while the tiles of this one are computed.
            const ulong next = i0 == m0 ? min(j + NR, j1) : j1;
            const uint next_columns = min((ulong)NR, j1 - next);
            global const element* next_rows = b_rows + next * b_at.column;
            const bool is_whole = next_columns == NR && b_at.column == 1;
            const uint share = is_whole ? min((depth / PARTS + tiles - 1) / tiles, depth / CHUNK) * PARTS : 0;
            uint copied = 0;
            global number* a_panel = a_panels;
            for (uint i = 0; i < i1 - i0; i += MR, sum += MR * NR, a_panel += a_size) {
              global output* c_tile = c + (i0 + i) * c_at.row + j;
              const Errands errands = {j == j0 && i < later ? a_rows + i * a_at.row : 0,
                                       a_at.row,
                                       b_panel + b_size + copied * NR,
                                       next_rows + copied * b_at.row,
                                       b_at.row,
                                       min(share, depth - copied),
                                       is_last ? (global const char*)c_tile : (global const char*)sum,
                                       is_last ? c_at.row * sizeof(output) : NR * sizeof(number)};
              copied += errands.b_rows;
              Numbers tile[MR][NR_VECTORS];
#pragma unroll
              for (uint r = 0; r < MR; r++) {
#pragma unroll
                for (uint v = 0; v < NR_VECTORS; v++) tile[r][v] = 0;
              }
              if (columns > (NR_VECTORS - 1) * VECTOR) {
                add_product(tile, a_panel, b_panel, depth, errands);
              } else {
                add_columns_of(tile, columns, a_panel, b_panel, depth);
              }
              if (part > 0) add_sum(tile, sum);
              if (!is_last) {
                keep_tile(tile, sum);
              } else {
                update_tile(tile, alpha, beta, c_tile, c_at.row, 0, min((ulong)MR, i1 - i0 - i), columns);
              }
            }
            if (next < j1) {
              pack_b(b_panel + b_size + copied * NR, next_rows + copied * b_at.row, b_at.column, next_columns,
                     b_at.row, depth - copied);
            }
          }
        }
      }
    }
  }
}

kernel BY_VECTORS
void multiply_packed(const Shape shape, const value alpha, const value beta,
                     global const element* restrict a, const Layout a_at,  // m x k
                     global const element* restrict b, const Layout b_at,  // k x n
                     global output* restrict c, const Layout c_at,        // m x n
                     const Blocking block, global number* restrict scratch, volatile global uint* counter) {
  global number* panels = scratch + own_number() * block.numbers;
  Rectangle part;
  while (take_rectangle(&part, shape, block.batch, block.pieces, counter)) {
    for (ulong product = part.first_product; product < part.end_product; product++) {
      multiply_rectangle(shape, alpha, beta, a + a_at.offset + product * a_at.batch, a_at,
                         b + b_at.offset + product * b_at.batch, b_at, c + c_at.offset + product * c_at.batch, c_at,
                         block, panels, part.top, part.bottom, part.left, part.right);
    }
  }
}
