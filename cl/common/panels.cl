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

// A function whose arrays are registers: compilers leave one alone where they find it long, and then those are memory.
#define inlined static inline __attribute__((always_inline))

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

// One vector and another, number by number: the first halves, and the second ones.
static inline Numbers interleaved_low(const Numbers x, const Numbers y) {
  Numbers both;
  both.even = x.lo;
  both.odd = y.lo;
  return both;
}

static inline Numbers interleaved_high(const Numbers x, const Numbers y) {
  Numbers both;
  both.even = x.hi;
  both.odd = y.hi;
  return both;
}

// VECTOR x VECTOR elements transposed: columns that lie together in `from`, `stride` apart, become rows of vectors, and
// rows columns. Perfect shuffles (Stone, "Parallel processing with the perfect shuffle", IEEE Trans. Computers C-20,
// 1971).
inlined void pack_transposed(global number* to, const uint step, global const element* from, const ulong stride) {
  Numbers rows[VECTOR];
#pragma unroll
  for (uint w = 0; w < VECTOR; w++) rows[w] = load_elements(from + w * stride);
#pragma unroll
  for (uint length = 1; length < VECTOR; length *= 2) {
    Numbers shuffled[VECTOR];
#pragma unroll
    for (uint w = 0; w < VECTOR / 2; w++) {
      shuffled[2 * w] = interleaved_low(rows[w], rows[w + VECTOR / 2]);
      shuffled[2 * w + 1] = interleaved_high(rows[w], rows[w + VECTOR / 2]);
    }
#pragma unroll
    for (uint w = 0; w < VECTOR; w++) rows[w] = shuffled[w];
  }
#pragma unroll
  for (uint p = 0; p < VECTOR; p++) store_numbers(rows[p], to + p * step);
}

// `rows` rows of A, and zeros up to whole panels: A_ROW_MAJOR, where panels lie one after the other by rows.
static inline void pack_rows_of_a(global number* to, global const element* from, const ulong stride, const uint rows,
                                  const ulong k_stride, const uint depth) {
  const uint whole = k_stride == 1 || stride == 1 ? depth / VECTOR * VECTOR : 0;
  const uint groups = stride == 1 && k_stride != 1 ? rows / VECTOR * VECTOR : 0;
  for (uint r = 0; r < groups; r += VECTOR) {
    for (uint p = 0; p < whole; p += VECTOR) {
      pack_transposed(to + r * ROW_STEP + p, ROW_STEP, from + r + p * k_stride, k_stride);
    }
  }
  for (uint r = 0; r < rows; r++) {
    global const element* row = from + r * stride;
    uint p = r < groups ? whole : 0;
    if (k_stride == 1) {
      for (; p < whole; p += VECTOR) {
        ask_for(row + 2 * stride + p);
        store_numbers(load_elements(row + p), to + r * ROW_STEP + p);
      }
    }
    for (; p < depth; p++) to[r * ROW_STEP + p] = load(row, p * k_stride);
  }
  for (uint r = rows; r % MR != 0; r++) {
    for (uint p = 0; p < depth; p++) to[r * ROW_STEP + p] = 0;
  }
}

// `rows` rows of A as panels.
static inline void pack_a(global number* to, global const element* from, const ulong stride, const uint rows,
                          const ulong k_stride, const uint depth, const ulong panel) {
#if A_ROW_MAJOR
  pack_rows_of_a(to, from, stride, rows, k_stride, depth);
#else
  for (uint r = 0; r < rows; r += MR, to += panel) {
    pack(to, ROW_STEP, COLUMN_STEP, MR, from + r * stride, stride, min((uint)MR, rows - r), k_stride, depth);
  }
#endif
}

// A row of a panel of B; the rows of B lie `stride` apart.
static inline void copy_row_of_b(global number* to, global const element* from, const ulong stride) {
#pragma unroll
  for (uint v = 0; v < NR; v += VECTOR) {
    ask_for(from + PREFETCH * stride + v);
    store_numbers(load_elements(from + v), to + v);
  }
}

// A panel of B; where its rows or its columns are contiguous, by vectors.
static inline void pack_b(global number* to, global const element* from, const ulong stride, const uint width,
                          const ulong k_stride, const uint depth) {
  if (width < NR || (stride != 1 && k_stride != 1)) {
    pack(to, 1, NR, NR, from, stride, width, k_stride, depth);
  } else if (stride == 1) {
    for (uint p = 0; p < depth; p++) copy_row_of_b(to + p * NR, from + p * k_stride, k_stride);
  } else {
    const uint whole = depth / VECTOR * VECTOR;
    for (uint v = 0; v < NR; v += VECTOR) {
      for (uint p = 0; p < whole; p += VECTOR) {
        pack_transposed(to + p * NR + v, NR, from + v * stride + p, stride);
      }
    }
    pack(to + whole * NR, 1, NR, NR, from + whole, stride, width, 1, depth - whole);
  }
}
