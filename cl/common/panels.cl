// Panels: blocks of A and B packed in the order in which a tile of MR x NR elements of C reads them, padded
// with zeros to whole tiles.
//   MR           rows of a tile
//   VECTOR       numbers of a vector: 2, 4, 8 or 16
//   NR_VECTORS   vectors in a row of a tile
//   KC           maximum elements along k
//   A_ROW_MAJOR  storage order of panels of A: 0 by columns, as they are read; 1 by rows, as A is usually stored
//   PAD          numbers between the rows of a row-major panel, to avoid cache conflicts
//   PREFETCH     1: memory is prefetched before its use; 0: not

#include "common/pairs.cl"

#if !defined(MR) || !defined(VECTOR) || !defined(NR_VECTORS)
#error "MR, VECTOR or NR_VECTORS is not defined"
#endif
#if !defined(KC) || !defined(A_ROW_MAJOR) || !defined(PAD) || !defined(PREFETCH)
#error "KC, A_ROW_MAJOR, PAD or PREFETCH is not defined"
#endif

#define NR (VECTOR * NR_VECTORS)
// Vectors of C.
#if OUTPUT == 3
#define LOAD_OUTPUTS(pointer) LOAD_ELEMENTS(pointer)
#define STORE_OUTPUTS(value, pointer) JOIN(vstore_half, VECTOR)(value, 0, pointer)
#elif OUTPUT == 5
#define LOAD_OUTPUTS(pointer) LOAD_ELEMENTS(pointer)
#define STORE_OUTPUTS(value, pointer) (*(global ShortsAnywhere*)(pointer) = narrow(value))
#else
#define LOAD_OUTPUTS(pointer) LOAD_NUMBERS(pointer)
#define STORE_OUTPUTS(value, pointer) STORE_NUMBERS(value, pointer)
#endif

// Stride of a panel of A, in numbers, from one row to the next and from one column to the next.
#if A_ROW_MAJOR
#define ROW_STEP (KC + PAD)
#define COLUMN_STEP 1
#else
#define ROW_STEP 1
#define COLUMN_STEP MR
#endif

// Size in numbers of a panel of A with `depth` columns.
static inline ulong panel_numbers(const ulong depth) { return MR * (A_ROW_MAJOR ? (ulong)ROW_STEP : depth); }

// Packs `rows` rows of A into row-major panels, padded with zero rows to whole panels.
static inline void pack_rows_of_a(global number* to, global const element* from, const ulong stride, const uint rows,
                                  const ulong k_stride, const uint depth) {
  const uint whole = k_stride == 1 || stride == PARTS ? depth / VECTOR * VECTOR : 0;
  const uint groups = stride == PARTS && k_stride != 1 ? rows / VALUES * VALUES : 0;
  for (uint p = 0; p < whole; p += VECTOR) {
    for (uint r = 0; r < groups; r += VALUES) {
      Numbers block[VALUES];
      load_transposed(block, from + r * stride + p * k_stride, k_stride);
#pragma unroll
      for (uint w = 0; w < VALUES; w++) STORE_NUMBERS(block[w], to + (r + w) * ROW_STEP + p);
    }
  }
  for (uint r = 0; r < rows; r++) {
    global const element* row = from + r * stride;
    uint p = r < groups ? whole : 0;
    if (k_stride == 1) {
      for (; p < whole; p += VECTOR) {
        PREFETCH_READ(row + 2 * stride + p);
        STORE_NUMBERS(LOAD_ELEMENTS(row + p), to + r * ROW_STEP + p);
      }
    }
    for (; p < depth; p += PARTS) copy_value_of_a(to + r * ROW_STEP + p, 1, row + p * k_stride);
  }
  for (uint r = rows; r % MR != 0; r++) {
    for (uint p = 0; p < depth; p++) to[r * ROW_STEP + p] = 0;
  }
}

// Packs `rows` rows of A into panels.
static inline void pack_a(global number* to, global const element* from, const ulong stride, const uint rows,
                          const ulong k_stride, const uint depth, const ulong panel) {
#if A_ROW_MAJOR
  pack_rows_of_a(to, from, stride, rows, k_stride, depth);
#else
  for (uint r = 0; r < rows; r += MR, to += panel) {
    const uint width = min((uint)MR, rows - r);
    for (uint p = 0; p < depth; p += PARTS) {
      for (uint w = 0; w < width; w++) {
        copy_value_of_a(to + p * MR + w, MR, from + (r + w) * stride + p * k_stride);
      }
    }
    for (uint p = 0; p < depth; p++) {
      for (uint w = width; w < MR; w++) to[p * MR + w] = 0;
    }
  }
#endif
}

// Packs PARTS rows of a panel of B, and prefetches these rows of the next panel, which are beside them in memory. With
// prefetches of rows below instead, 1000 x 2934 x 2934 doubles took 15 % longer on two cores.
static inline void copy_rows_of_b(global number* to, global const element* from) {
#pragma unroll
  for (uint v = 0; v < NR; v += VECTOR) {
    PREFETCH_READ(from + NR + v);
    store_row_of_b(LOAD_ELEMENTS(from + v), to + v, NR);
  }
}

// Packs rows of a panel of B value by value, padded with zero columns.
static inline void pack_narrow_b(global number* to, global const element* from, const ulong stride, const uint width,
                                 const ulong k_stride, const uint depth) {
  for (uint p = 0; p < depth; p += PARTS) {
    for (uint w = 0; w < width; w += PARTS) copy_value_of_b(to + p * NR + w, NR, from + w * stride + p * k_stride);
  }
  for (uint p = 0; p < depth; p++) {
    for (uint w = width; w < NR; w++) to[p * NR + w] = 0;
  }
}

// Packs a panel of B, by vectors if its rows or its columns are contiguous.
static inline void pack_b(global number* to, global const element* from, const ulong stride, const uint width,
                          const ulong k_stride, const uint depth) {
  if (width < NR || (stride != 1 && k_stride != 1)) {
    pack_narrow_b(to, from, stride, width, k_stride, depth);
  } else if (stride == 1) {
    for (uint p = 0; p < depth; p += PARTS) copy_rows_of_b(to + p * NR, from + p * k_stride);
  } else {
    const uint whole = depth / VECTOR * VECTOR;
    for (uint v = 0; v < NR; v += VECTOR) {
      for (uint p = 0; p < whole; p += VECTOR) {
        Numbers block[VALUES];
        load_transposed(block, from + v * stride + p, stride);
#pragma unroll
        for (uint w = 0; w < VALUES; w++) store_row_of_b(block[w], to + (p + w * PARTS) * NR + v, NR);
      }
    }
    pack_narrow_b(to + whole * NR, from + whole, stride, width, 1, depth - whole);
  }
}
