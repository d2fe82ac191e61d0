// C = alpha * A * B + beta * C for CPUs: each work-item owns a rectangle of C. It copies blocks of A and
// B that fit the caches into panels of its own scratch memory, and computes tiles of ROWS x COLUMNS
// elements in vector registers (Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication", ACM TOMS 34, 2008). No barrier, no local memory: a work-group is one work-item.
//   ROWS     rows of a tile
//   VECTOR   numbers of a vector: 2, 4, 8 or 16
//   VECTORS  vectors in a row of a tile
// Any m, n, k: panels are filled up with zeros, whose products are not stored.

#ifndef ROWS
#error "ROWS is not defined"
#endif
#ifndef VECTOR
#error "VECTOR is not defined"
#endif
#ifndef VECTORS
#error "VECTORS is not defined"
#endif

#define COLUMNS (VECTOR * VECTORS)
typedef JOIN(NUMBER, VECTOR) vector;
#define load_vector(pointer) JOIN(vload, VECTOR)(0, pointer)
#define store_vector(value, pointer) JOIN(vstore, VECTOR)(value, 0, pointer)
#if ELEMENT == 3
#define load_elements(pointer) JOIN(vload_half, VECTOR)(0, pointer)
#define store_elements(value, pointer) JOIN(vstore_half, VECTOR)(value, 0, pointer)
#else
#define load_elements(pointer) load_vector(pointer)
#define store_elements(value, pointer) store_vector(value, pointer)
#endif

// How the host shares out the work.
typedef struct {
  ulong m, n, k;  // block of A, m x k, and columns of B that it meets; multiples of ROWS and COLUMNS
  ulong numbers;  // scratch memory of a work-item
} Blocking;

// `width` elements beside each other and `depth` along k, as rows of `panel` numbers of the same p.
static inline void pack(global number* to, const uint panel, global const element* from, const ulong stride,
                 const uint width, const ulong k_stride, const uint depth) {
  for (uint p = 0; p < depth; p++) {
    for (uint w = 0; w < width; w++) to[p * panel + w] = load(from, w * stride + p * k_stride);
    for (uint w = width; w < panel; w++) to[p * panel + w] = 0;
  }
}

// A panel of B; where its rows are whole and contiguous, by vectors.
static inline void pack_b(global number* to, global const element* from, const ulong stride, const uint width,
                   const ulong k_stride, const uint depth) {
  if (stride != 1 || width < COLUMNS) {
    pack(to, COLUMNS, from, stride, width, k_stride, depth);
    return;
  }
  for (uint p = 0; p < depth; p++) {
    for (uint v = 0; v < COLUMNS; v += VECTOR) {
      store_vector(load_elements(from + p * k_stride + v), to + p * COLUMNS + v);
    }
  }
}

// Adds the product of a panel of A and a panel of B to a tile in registers.
static inline void add_product(vector tile[ROWS][VECTORS], global const number* a, global const number* b,
                        const uint depth) {
  for (uint p = 0; p < depth; p++, a += ROWS, b += COLUMNS) {
    vector row[VECTORS];
#pragma unroll
    for (uint v = 0; v < VECTORS; v++) row[v] = load_vector(b + v * VECTOR);
#pragma unroll
    for (uint r = 0; r < ROWS; r++) {
      const vector factor = (vector)(a[r]);
#pragma unroll
      for (uint v = 0; v < VECTORS; v++) tile[r][v] = multiply_add(factor, row[v], tile[r][v]);
    }
  }
}

static inline void load_tile(vector tile[ROWS][VECTORS], global const number* from, const bool is_new) {
#pragma unroll
  for (uint r = 0; r < ROWS; r++) {
#pragma unroll
    for (uint v = 0; v < VECTORS; v++) {
      tile[r][v] = is_new ? (vector)(0) : load_vector(from + r * COLUMNS + v * VECTOR);
    }
  }
}

static inline void keep_tile(vector tile[ROWS][VECTORS], global number* to) {
#pragma unroll
  for (uint r = 0; r < ROWS; r++) {
#pragma unroll
    for (uint v = 0; v < VECTORS; v++) store_vector(tile[r][v], to + r * COLUMNS + v * VECTOR);
  }
}

// rows x columns elements of a finished tile into C.
static inline void update_tile(vector tile[ROWS][VECTORS], const number alpha, const number beta, global element* c,
                        const ulong c_row, const uint rows, const uint columns) {
#pragma unroll
  for (uint r = 0; r < ROWS; r++) {
    if (r >= rows) continue;
    global element* row = c + r * c_row;
#pragma unroll
    for (uint v = 0; v < VECTORS; v++) {
      vector product = alpha * tile[r][v];
      if (columns >= (v + 1) * VECTOR) {
        if (beta != 0) product = multiply_add(beta, load_elements(row + v * VECTOR), product);
        store_elements(product, row + v * VECTOR);
      } else {
        number part[VECTOR];
        store_vector(product, part);
        for (uint q = v * VECTOR; q < columns; q++) {
          const number value = part[q - v * VECTOR];
          store(beta == 0 ? value : multiply_add(beta, load(row, q), value), row, q);
        }
      }
    }
  }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void multiply_packed(const Shape shape, const number alpha, const number beta,
                     global const element* restrict a, const Layout a_at,  // m x k
                     global const element* restrict b, const Layout b_at,  // k x n
                     global element* restrict c, const Layout c_at,        // m x n
                     const Blocking block, global number* restrict scratch) {
  // This work-item's rectangle, in whole tiles.
  const ulong row_tiles = (shape.m + ROWS - 1) / ROWS, column_tiles = (shape.n + COLUMNS - 1) / COLUMNS;
  const ulong x = get_global_id(0), xs = get_global_size(0), y = get_global_id(1), ys = get_global_size(1);
  const ulong top = row_tiles * y / ys * ROWS, bottom = min(row_tiles * (y + 1) / ys * ROWS, shape.m);
  const ulong left = column_tiles * x / xs * COLUMNS, right = min(column_tiles * (x + 1) / xs * COLUMNS, shape.n);
  a += a_at.offset;
  b += b_at.offset;
  c += c_at.offset;

  global number* a_panels = scratch + (y * xs + x) * block.numbers;
  global number* b_panel = a_panels + block.m * block.k;
  global number* sums = b_panel + COLUMNS * block.k;  // tiles between two blocks along k

  for (ulong j0 = left; j0 < right; j0 += block.n) {
    const ulong j1 = min(j0 + block.n, right);
    for (ulong i0 = top; i0 < bottom; i0 += block.m) {
      const ulong i1 = min(i0 + block.m, bottom);
      ulong p = 0;
      do {  // once also where k is 0, for beta
        const uint depth = min(block.k, shape.k - p);
        for (ulong i = i0; i < i1; i += ROWS) {
          pack(a_panels + (i - i0) * block.k, ROWS, a + i * a_at.row + p * a_at.column, a_at.row,
               min((ulong)ROWS, i1 - i), a_at.column, depth);
        }
        global number* sum = sums;
        for (ulong j = j0; j < j1; j += COLUMNS) {
          const uint columns = min((ulong)COLUMNS, j1 - j);
          pack_b(b_panel, b + p * b_at.row + j * b_at.column, b_at.column, columns, b_at.row, depth);
          for (ulong i = i0; i < i1; i += ROWS, sum += ROWS * COLUMNS) {
            vector tile[ROWS][VECTORS];
            load_tile(tile, sum, p == 0);
            add_product(tile, a_panels + (i - i0) * block.k, b_panel, depth);
            if (p + depth < shape.k) {
              keep_tile(tile, sum);
            } else {
              update_tile(tile, alpha, beta, c + i * c_at.row + j, c_at.row, min((ulong)ROWS, i1 - i), columns);
            }
          }
        }
        p += block.k;
      } while (p < shape.k);
    }
  }
}
