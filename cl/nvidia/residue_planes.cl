// Planes of residues (see residues.cl): the operands of a product as a matrix of bytes for each modulus, and C from the
// residues of their products. Rows of A and columns of B are scaled by powers of two and rounded to integers. By the
// Cauchy-Schwarz inequality an element of the integers' product is at most the product of the Euclidean norms of its
// row and column. The residues determine the element exactly if neither norm exceeds the root of LARGEST, because
// LARGEST is below RANGE / 2.
//   RANGE    the product of the moduli
//   LARGEST  the square of the norm that scaled rows and columns may have
//   TILE_M, TILE_N, SUMS, SUMMERS  as of the kernel that multiplies (wide_blocks.cl)

#include "nvidia/wide_sums.cl"
#include "nvidia/residues.cl"

#define WARP 32
#define ROWS_OF_NORMS 16
#define TOGETHER_IN_NORMS 8  // elements that a work-item reads at once
#define ROWS_OF_PACK 32
#define DEPTH_OF_PACK 128  // four of each work-item of a warp
#define WARPS_OF_PACK 8

#define NOT_FINITE INT_MAX  // as a shift

// The rows of A, or the columns of B: element (w, p) is number offset + w * stride + p * k_stride.
typedef struct {
  ulong offset, width, stride, k_stride;
  ulong first;   // its shifts begin there
  ulong rows;    // the width up to whole blocks
  ulong groups;  // work-groups that read them, or pack them
} Side;

static inline double power_of_two(const int exponent) { return as_double((ulong)(exponent + 1023) << 52); }

// x * 2^shift, in two steps, because a double has exponents of -1022 to 1023 only. In the uses below, a shift below
// -2044 makes every x zero, and a shift above 2046 makes it infinite.
static inline double scaled(const double x, const int shift) {
  const int whole = clamp(shift, -2044, 2046), first = whole >> 1;
  return x * power_of_two(first) * power_of_two(whole - first);
}

// The exponent of the largest power of two by which a row may be scaled, from the sum of its squares. What the rounding
// of the sum, and of the integers, may add is far less than 2^-30 of it.
static inline int shift_to_largest(const double squares) { return ilogb(LARGEST / (squares * (1 + 0x1p-30))) >> 1; }

// Combines the numbers that work-items have for their parts of a row: their sum, or the largest. Called by all
// work-items.
inlined double sum_of_parts(local double parts[ROWS_OF_NORMS][ROWS_OF_NORMS + 1], const double mine, const uint row,
                            const uint part) {
  barrier(CLK_LOCAL_MEM_FENCE);
  parts[row][part] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  double sum = 0;
  for (uint other = 0; other < ROWS_OF_NORMS; other++) sum += parts[row][other];
  return sum;
}

inlined double largest_of_parts(local double parts[ROWS_OF_NORMS][ROWS_OF_NORMS + 1], const double mine, const uint row,
                                const uint part) {
  barrier(CLK_LOCAL_MEM_FENCE);
  parts[row][part] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  double largest = 0;
  for (uint other = 0; other < ROWS_OF_NORMS; other++) largest = fmax(largest, parts[row][other]);
  return largest;
}

// Computes the exponents by which rows are scaled. A work-group reads ROWS_OF_NORMS rows of A, or columns of B, each by
// as many work-items.
kernel __attribute__((reqd_work_group_size(ROWS_OF_NORMS * ROWS_OF_NORMS, 1, 1)))
void multiply_shifts_of_rows(const ulong depth, global const element* restrict a, const Side a_side,
                             global const element* restrict b, const Side b_side, global int* restrict shifts) {
  local double parts[ROWS_OF_NORMS][ROWS_OF_NORMS + 1];
  const bool is_a = get_group_id(0) < a_side.groups;
  const Side side = is_a ? a_side : b_side;
  const uint low = get_local_id(0) % ROWS_OF_NORMS, high = get_local_id(0) / ROWS_OF_NORMS;
  // Neighbouring work-items read neighbours in memory.
  const uint row = side.k_stride == 1 ? high : low, part = side.k_stride == 1 ? low : high;
  const ulong w = (get_group_id(0) - (is_a ? 0 : a_side.groups)) * ROWS_OF_NORMS + row;
  const ulong end = w < side.width ? depth : 0;
  global const element* x = (is_a ? a : b) + side.offset + w * side.stride;
  double squares = 0, largest = 0;
  for (ulong p = part; p < end; p += TOGETHER_IN_NORMS * ROWS_OF_NORMS) {
    double values[TOGETHER_IN_NORMS];
#pragma unroll
    for (uint e = 0; e < TOGETHER_IN_NORMS; e++) {
      const ulong at = p + e * ROWS_OF_NORMS;
      values[e] = at < end ? x[at * side.k_stride] : 0;
    }
#pragma unroll
    for (uint e = 0; e < TOGETHER_IN_NORMS; e++) {
      squares = fma(values[e], values[e], squares);
      largest = fmax(largest, fabs(values[e]));
    }
  }
  squares = sum_of_parts(parts, squares, row, part);
  largest = largest_of_parts(parts, largest, row, part);
  const bool is_finite = !isnan(squares) && !isinf(largest);
  // If squares overflow or vanish, the row is divided by its largest element before it is squared.
  const bool is_usual = largest == 0 || (squares >= 0x1p-900 && squares <= 0x1p900);
  const int exponent = is_usual || !is_finite ? 0 : ilogb(largest);
  double squares_of_scaled = 0;
  if (exponent != 0) {
    for (ulong p = part; p < end; p += ROWS_OF_NORMS) {
      const double value = scaled(x[p * side.k_stride], -exponent);
      squares_of_scaled = fma(value, value, squares_of_scaled);
    }
  }
  squares_of_scaled = sum_of_parts(parts, squares_of_scaled, row, part);
  if (part > 0 || w >= side.width) return;
  int shift = NOT_FINITE;
  if (is_finite) shift = largest == 0 ? 0 : shift_to_largest(exponent == 0 ? squares : squares_of_scaled) - exponent;
  shifts[side.first + w] = shift;
}

#define ROWS_OF_WARP (ROWS_OF_PACK / WARPS_OF_PACK)
#define RUNS_OF_TILE (ROWS_OF_PACK * DEPTH_OF_PACK / WARP)
#define TOGETHER_IN_PACK 8  // elements that a work-item reads at once
#define PITCH_OF_TILE 161

// Row and p of an element of a tile for a lane. Neighbouring lanes read neighbouring elements in memory: of a run of
// WARP, or of rows.
static inline uint2 place_of_read(const bool along_k, const uint run, const uint lane) {
  const uint runs = DEPTH_OF_PACK / WARP;
  return along_k ? (uint2)(run / runs, run % runs * WARP + lane) : (uint2)(lane, run);
}

// Distributes four neighbours along k to four runs. Writers of rows or columns, and readers of four neighbours, then
// have no bank conflicts.
static inline uint place_in_tile(const uint p) { return p % 4 * 40 + p / 4; }

// Work-groups split the packing: in dimension 0 the first ones pack A and the others B, dimension 1 splits the depth. A
// row of a plane has `pitch` bytes, whole DEPTH_OF_PACKs; rows beyond the width are left as they are.
kernel __attribute__((reqd_work_group_size(WARP * WARPS_OF_PACK, 1, 1)))
void multiply_pack_residues(const ulong depth, const ulong pitch, global const element* restrict a, const Side a_side,
                            global uchar* restrict a_planes, global const element* restrict b, const Side b_side,
                            global uchar* restrict b_planes, global const int* restrict shifts) {
  local double tile[ROWS_OF_PACK][PITCH_OF_TILE];
  const uint lane = get_local_id(0) % WARP, warp = get_local_id(0) / WARP;
  const bool is_a = get_group_id(0) < a_side.groups;
  const Side side = is_a ? a_side : b_side;
  const ulong w0 = (get_group_id(0) - (is_a ? 0 : a_side.groups)) * ROWS_OF_PACK;
  global const element* x = (is_a ? a : b) + side.offset;
  global uchar* planes = is_a ? a_planes : b_planes;
  for (ulong p0 = get_group_id(1) * DEPTH_OF_PACK; p0 < depth; p0 += get_num_groups(1) * DEPTH_OF_PACK) {
    // Beyond the last row, and the depth, the last element is read again; its residues are never used.
#pragma unroll 1
    for (uint run = warp; run < RUNS_OF_TILE; run += TOGETHER_IN_PACK * WARPS_OF_PACK) {
      double read[TOGETHER_IN_PACK];
#pragma unroll
      for (uint e = 0; e < TOGETHER_IN_PACK; e++) {
        const uint2 at = place_of_read(side.k_stride == 1, run + e * WARPS_OF_PACK, lane);
        read[e] = x[min(w0 + at.x, side.width - 1) * side.stride + min(p0 + at.y, depth - 1) * side.k_stride];
      }
#pragma unroll
      for (uint e = 0; e < TOGETHER_IN_PACK; e++) {
        const uint2 at = place_of_read(side.k_stride == 1, run + e * WARPS_OF_PACK, lane);
        tile[at.x][place_in_tile(at.y)] = read[e];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    long values[ROWS_OF_WARP][4];
#pragma unroll
    for (uint r = 0; r < ROWS_OF_WARP; r++) {
      const uint row = warp + r * WARPS_OF_PACK;
      const int shift = shifts[side.first + min(w0 + row, side.width - 1)];
#pragma unroll
      for (uint e = 0; e < 4; e++)
        values[r][e] = convert_long_rte(scaled(tile[row][place_in_tile(4 * lane + e)], shift));
    }
    // Unrolled, the constants of all moduli would not fit into registers.
#pragma unroll 1
    for (uint plane = 0; plane < PLANES; plane++) {
      const Modulus of = modulus_of(plane);
#pragma unroll
      for (uint r = 0; r < ROWS_OF_WARP; r++) {
        const ulong w = w0 + warp + r * WARPS_OF_PACK;
        if (w < side.width)
          *(global uint*)(planes + (plane * side.rows + w) * pitch + p0 + 4 * lane) =
              lowest_bytes(residue_of_long(values[r][0], of), residue_of_long(values[r][1], of),
                           residue_of_long(values[r][2], of), residue_of_long(values[r][3], of));
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#define PIECES (SUMS / 8)

// Returns the address of the residues of 8 sums of a work-item.
static inline global uint2* place_of_piece(global void* residues, const ulong block, const uint piece,
                                           const uint item) {
  return (global uint2*)residues + (block * PIECES + piece) * SUMMERS + item;
}

// An element of the product with a term that is not finite: a slow path.
inlined double plain_sum(const ulong k, global const element* a, const Layout a_at, global const element* b,
                         const Layout b_at, const ulong i, const ulong j) {
  double sum = 0;
  for (ulong p = 0; p < k; p++) {
    sum = fma(a[a_at.offset + i * a_at.row + p * a_at.column], b[b_at.offset + p * b_at.row + j * b_at.column], sum);
  }
  return sum;
}

// C from the residues of its planes: a work-group for each piece of each of down x across blocks.
kernel __attribute__((reqd_work_group_size(SUMMERS, 1, 1)))
void multiply_join_residues(const Shape shape, const number alpha, const number beta, const uint down,
                            const uint across, global uint* restrict residues, global const element* restrict a,
                            const Layout a_at, const ulong first_row, global const element* restrict b,
                            const Layout b_at, const ulong first_column, global const int* restrict shifts,
                            global element* restrict c, const Layout c_at) {
  const uint item = get_local_id(0), lane = item % WARP, warp = item / WARP;
  const uint piece = get_group_id(0) % PIECES, block = get_group_id(0) / PIECES;
  const uint2 at = (uint2)(block / across, block % across);
  Fraction sums[8];
#pragma unroll
  for (uint e = 0; e < 8; e++) sums[e] = start_of_fraction();
  if (shape.k > 0) {
#pragma unroll
    for (uint plane = 0; plane < PLANES; plane++) {
      const uint2 both = *place_of_piece(residues, plane * down * across + block, piece, item);
      const uint words[2] = {both.x, both.y};
#pragma unroll
      for (uint e = 0; e < 8; e++) add_residue(&sums[e], words[e / 4] >> e % 4 * 8 & 0xff, plane);
    }
  }
  const bool whole = has_whole_runs(shape, c_at, at, TILE_N);
  const ulong i0 = (ulong)at.x * TILE_M + warp * 16 + lane / 4,
              j0 = (ulong)at.y * TILE_N + piece * 16 + lane % 4 * 2;
  bool all_finite = true;
#pragma unroll
  for (uint e = 0; e < 8; e += 2) {
    const ulong i = i0 + e / 2 % 2 * 8, j = j0 + e / 4 * 8;
    if (i >= shape.m || j >= shape.n) continue;
    const int of_row = shifts[first_row + i], of_column = shifts[first_column + j],
              of_next = j + 1 < shape.n ? shifts[first_column + j + 1] : 0;
    if (shape.k > 0 && (of_row == NOT_FINITE || of_column == NOT_FINITE || of_next == NOT_FINITE)) {
      all_finite = false;
      continue;
    }
    const number run[2] = {shape.k == 0 ? 0 : scaled(RANGE * value_of(sums[e]), -of_row - of_column),
                           shape.k == 0 ? 0 : scaled(RANGE * value_of(sums[e + 1]), -of_row - of_next)};
    update_run(whole, shape, alpha, beta, c, c_at, i, j, run);
  }
  if (all_finite || shape.k == 0) return;
#pragma unroll 1
  for (uint e = 0; e < 8; e += 2) {
    const ulong i = i0 + e / 2 % 2 * 8, j = j0 + e / 4 * 8;
    if (i >= shape.m || j >= shape.n) continue;
    const bool has_next = j + 1 < shape.n;
    if (shifts[first_row + i] != NOT_FINITE && shifts[first_column + j] != NOT_FINITE &&
        !(has_next && shifts[first_column + j + 1] == NOT_FINITE))
      continue;
#pragma unroll 1
    for (ulong next = j; next <= j + (has_next ? 1 : 0); next++)
      update(c, c_at, i, next, alpha, plain_sum(shape.k, a, a_at, b, b_at, i, next), beta);
  }
}
