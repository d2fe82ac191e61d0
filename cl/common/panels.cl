// Panels: copies of blocks of A and B in the order in which a tile of MR x NR elements of C takes them,
// filled up with zeros to whole tiles.
//   MR      rows of a tile
//   VECTOR    numbers of a vector: 2, 4, 8 or 16
//   NR_VECTORS   vectors in a row of a tile
//   KC     most elements along k
//   A_ROW_MAJOR   panels of A are 0: by columns, as they are used; 1: by rows, as they mostly lie
//   PAD       numbers between two rows of a panel by rows, so that they do not meet in the cache
//   PREFETCH  rows of B that are asked for early; 0: none

#if !defined(MR) || !defined(VECTOR) || !defined(NR_VECTORS)
#error "MR, VECTOR or NR_VECTORS is not defined"
#endif
#if !defined(KC) || !defined(A_ROW_MAJOR) || !defined(PAD) || !defined(PREFETCH)
#error "KC, A_ROW_MAJOR, PAD or PREFETCH is not defined"
#endif

#define NR (VECTOR * NR_VECTORS)
#if ELEMENT == 3
#define store_elements(value, pointer) JOIN(vstore_half, VECTOR)(value, 0, pointer)
#else
#define store_elements(value, pointer) store_numbers(value, pointer)
#endif

// Numbers of a panel of A from one row to the next, and from one column to the next.
#if A_ROW_MAJOR
#define ROW_STEP (KC + PAD)
#define COLUMN_STEP 1
#else
#define ROW_STEP 1
#define COLUMN_STEP MR
#endif

// Numbers of a panel of A that is `depth` wide.
static inline ulong panel_numbers(const ulong depth) { return MR * (A_ROW_MAJOR ? (ulong)ROW_STEP : depth); }

// Element (w, p) of `width` x `depth` ones goes to to[w * step + p * k_step], up to `panel` are filled with zeros.
static inline void pack(global number* to, const uint step, const uint k_step, const uint panel,
                        global const element* from, const ulong stride, const uint width, const ulong k_stride,
                        const uint depth) {
  for (uint p = 0; p < depth; p++) {
    for (uint w = 0; w < width; w++) to[w * step + p * k_step] = load(from, w * stride + p * k_stride);
    for (uint w = width; w < panel; w++) to[w * step + p * k_step] = 0;
  }
}

// A panel of A; rows that are whole and contiguous by vectors.
static inline void pack_a(global number* to, global const element* from, const ulong stride, const uint width,
                          const ulong k_stride, const uint depth) {
  if (!A_ROW_MAJOR || k_stride != 1 || width < MR) {
    pack(to, ROW_STEP, COLUMN_STEP, MR, from, stride, width, k_stride, depth);
    return;
  }
  const uint whole = depth / VECTOR * VECTOR;
  for (uint r = 0; r < MR; r++) {
    global const element* row = from + r * stride;
    for (uint p = 0; p < whole; p += VECTOR) {
      store_numbers(load_elements(row + p), to + r * ROW_STEP + p);
    }
    for (uint p = whole; p < depth; p++) to[r * ROW_STEP + p] = load(row, p);
  }
}

// A panel of B; where its rows are whole and contiguous, by vectors.
static inline void pack_b(global number* to, global const element* from, const ulong stride, const uint width,
                          const ulong k_stride, const uint depth) {
  if (stride != 1 || width < NR) {
    pack(to, 1, NR, NR, from, stride, width, k_stride, depth);
    return;
  }
  for (uint p = 0; p < depth; p++) {
#pragma unroll
    for (uint v = 0; v < NR; v += VECTOR) {
      ask_for(from + (p + PREFETCH) * k_stride + v);
      store_numbers(load_elements(from + p * k_stride + v), to + p * NR + v);
    }
  }
}
