// Planes of residues (see residues.cl): the operands of a product as a matrix of bytes for each residue, and C from the
// residues of their products. Rows of A and columns of B are scaled by powers of two and rounded to integers. By the
// Cauchy-Schwarz inequality an element of the integers' product is at most the product of the Euclidean norms of its
// row and column, and so is each part of a complex one. The residues determine the element exactly if neither norm
// exceeds the root of LARGEST, because LARGEST is below RANGE / 2.
//   RANGE    the product of the moduli
//   TILE_N, WARP_M  as of the kernel that multiplies: see wide_sums.cl

#include "nvidia/wide_sums.cl"
#include "nvidia/residue_scales.cl"

#define ROWS_OF_PACK (32 / PARTS)
#define DEPTH_OF_PACK 128  // four of each work-item of a warp
#define WARPS_OF_PACK 8
#define ROWS_OF_WARP (ROWS_OF_PACK / WARPS_OF_PACK)
#define RUNS_OF_TILE (ROWS_OF_PACK * DEPTH_OF_PACK / WARP)
#define TOGETHER_IN_PACK (8 / PARTS)  // elements that a work-item reads at once
#define PITCH_OF_TILE 161

// Row and p of an element of a tile for a lane. Neighbouring lanes read neighbouring elements in memory: of a run of
// WARP, or of rows.
static inline uint2 place_of_read(const bool along_k, const uint run, const uint lane) {
  const uint runs = DEPTH_OF_PACK / WARP, together = WARP / ROWS_OF_PACK;
  return along_k ? (uint2)(run / runs, run % runs * WARP + lane)
                 : (uint2)(lane % ROWS_OF_PACK, run * together + lane / ROWS_OF_PACK);
}

// Distributes four neighbours along k to four runs. Writers of rows or columns, and readers of four neighbours, then
// have no bank conflicts.
static inline uint place_in_tile(const uint p) { return p % 4 * 40 + p / 4; }

// Work-groups split the packing: in dimension 0 the first ones pack A and the others B, dimension 1 splits the depth. A
// row of a plane has `pitch` bytes, whole DEPTH_OF_PACKs; rows beyond the width are left as they are.
kernel __attribute__((reqd_work_group_size(WARP * WARPS_OF_PACK, 1, 1)))
void multiply_pack_residues(const ulong depth, const ulong pitch, global const entry* restrict a, const Side a_side,
                            global uchar* restrict a_planes, global const entry* restrict b, const Side b_side,
                            global uchar* restrict b_planes, global const int* restrict shifts) {
  local double tile[PARTS][ROWS_OF_PACK][PITCH_OF_TILE];
  const uint lane = get_local_id(0) % WARP, warp = get_local_id(0) / WARP;
  const bool is_a = get_group_id(0) < a_side.groups;
  const Side side = is_a ? a_side : b_side;
  const ulong w0 = (get_group_id(0) - (is_a ? 0 : a_side.groups)) * ROWS_OF_PACK;
  global const entry* x = (is_a ? a : b) + side.offset;
  global uchar* planes = is_a ? a_planes : b_planes;
  for (ulong p0 = get_group_id(1) * DEPTH_OF_PACK; p0 < depth; p0 += get_num_groups(1) * DEPTH_OF_PACK) {
    // Beyond the last row, and the depth, the last element is read again; its residues are never used.
#pragma unroll 1
    for (uint run = warp; run < RUNS_OF_TILE; run += TOGETHER_IN_PACK * WARPS_OF_PACK) {
      value read[TOGETHER_IN_PACK];
#pragma unroll
      for (uint e = 0; e < TOGETHER_IN_PACK; e++) {
        const uint2 at = place_of_read(side.k_stride == 1, run + e * WARPS_OF_PACK, lane);
        const ulong place = min(w0 + at.x, side.width - 1) * side.stride + min(p0 + at.y, depth - 1) * side.k_stride;
        read[e] = is_a ? LOAD_A(x, place) : LOAD_B(x, place);
      }
#pragma unroll
      for (uint e = 0; e < TOGETHER_IN_PACK; e++) {
        const uint2 at = place_of_read(side.k_stride == 1, run + e * WARPS_OF_PACK, lane);
#pragma unroll
        for (uint part = 0; part < PARTS; part++) tile[part][at.x][place_in_tile(at.y)] = PART_OF(read[e], part);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (uint r = 0; r < ROWS_OF_WARP; r++) {
      const uint row = warp + r * WARPS_OF_PACK;
      const ulong w = w0 + row;
      if (w >= side.width) continue;
      const int shift = shifts[side.first + w];
      long values[PARTS][4];
#pragma unroll
      for (uint e = 0; e < 4 * PARTS; e++)
        values[e / 4][e % 4] = convert_long_rte(scaled(tile[e / 4][row][place_in_tile(4 * lane + e % 4)], shift));
      // Unrolled, the constants of all moduli would not fit into registers.
#pragma unroll 1
      for (uint i = 0; i < COUNT; i++) {
        const Modulus of = modulus_of(i);
        uint residues[PARTS][4];
#pragma unroll
        for (uint e = 0; e < 4; e++) {
#ifdef COMPLEX
          const uint2 both = residues_of_complex(values[0][e], values[1][e], i, of);
          residues[0][e] = both.x;
          residues[1][e] = both.y;
#else
          residues[0][e] = residue_of_long(values[0][e], of);
#endif
        }
#pragma unroll
        for (uint part = 0; part < PARTS; part++)
          *(global uint*)(planes + ((i * PARTS + part) * side.rows + w) * pitch + p0 + 4 * lane) =
              lowest_bytes(residues[part][0], residues[part][1], residues[part][2], residues[part][3]);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#define PIECES (SUMS / 8)

// Returns the address of the residues of 8 sums of a work-item, two words.
static inline global uint* place_of_piece(global void* residues, const ulong block, const uint piece,
                                          const uint item) {
  return (global uint*)residues + ((block * PIECES + piece) * SUMMERS + item) * 2;
}

// An element of the product with a term that is not finite: a slow path.
inlined value plain_sum(const ulong k, global const entry* a, const Layout a_at, global const entry* b,
                        const Layout b_at, const ulong i, const ulong j) {
  value sum = 0;
  for (ulong p = 0; p < k; p++) {
    const value x = LOAD_A(a, a_at.offset + i * a_at.row + p * a_at.column);
    sum = multiply_add(x, LOAD_B(b, b_at.offset + p * b_at.row + j * b_at.column), sum);
  }
  return sum;
}

// An element of the product of the integers, divided by the powers of two.
static inline value element_of(const Fraction parts[PARTS], const int shift) {
#ifdef COMPLEX
  return (value)(scaled(RANGE * value_of(parts[0]), -shift), scaled(RANGE * value_of(parts[1]), -shift));
#else
  return scaled(RANGE * value_of(parts[0]), -shift);
#endif
}

// Stores C(i, j) and C(i, j + 1), if it exists.
inlined void update_pair(const bool whole, const Shape shape, const value alpha, const value beta, global result* c,
                         const Layout c_at, const ulong i, const ulong j, const value pair[2]) {
#ifdef COMPLEX
  update_value(c, c_at, i, j, alpha, pair[0], beta);
  if (j + 1 < shape.n) update_value(c, c_at, i, j + 1, alpha, pair[1], beta);
#else
  update_run(whole, shape, alpha, beta, c, c_at, i, j, pair);
#endif
}

// C from the residues of its planes: two work-groups for each piece of each of down x across blocks. Two work-items do
// what one of the multiplying kernel left, each a word.
kernel __attribute__((reqd_work_group_size(SUMMERS, 1, 1)))
void multiply_join_residues(const Shape shape, const value alpha, const value beta, const uint down, const uint across,
                            global uint* restrict residues, global const entry* restrict a, const Layout a_at,
                            const ulong first_row, global const entry* restrict b, const Layout b_at,
                            const ulong first_column, global const int* restrict shifts, global result* restrict c,
                            const Layout c_at) {
  const uint word = get_local_id(0) % 2, item = (get_group_id(0) % 2 * SUMMERS + get_local_id(0)) / 2;
  const uint piece = get_group_id(0) / 2 % PIECES, block = get_group_id(0) / 2 / PIECES;
  const uint2 at = (uint2)(block / across, block % across), in_block = place_of_sums(item, piece * 8 + word * 4);
  Fraction sums[4][PARTS];
#pragma unroll
  for (uint e = 0; e < 4 * PARTS; e++) sums[e / PARTS][e % PARTS] = start_of_fraction(e % PARTS * COUNT);
  if (shape.k > 0) {
#pragma unroll
    for (uint i = 0; i < COUNT; i++) {
      uint words[PARTS];
#pragma unroll
      for (uint part = 0; part < PARTS; part++)
        words[part] = place_of_piece(residues, (i * PARTS + part) * down * across + block, piece, item)[word];
#pragma unroll
      for (uint e = 0; e < 4; e++) {
        const uint first = words[0] >> e * 8 & 0xff;
#ifdef COMPLEX
        const uint second = words[1] >> e * 8 & 0xff;
        add_residue(&sums[e][0], first + second, i);
        add_residue(&sums[e][1], first - second + MORE, COUNT + i);
#else
        add_residue(&sums[e][0], first, i);
#endif
      }
    }
  }
  const bool whole = has_whole_runs(shape, c_at, at, TILE_N);
  const ulong i0 = (ulong)at.x * TILE_M + in_block.x, j = (ulong)at.y * TILE_N + in_block.y + item % 4 * 2;
  bool all_finite = true;
#pragma unroll
  for (uint e = 0; e < 4; e += 2) {
    const ulong i = i0 + e / 2 * 8;
    if (i >= shape.m || j >= shape.n) continue;
    const int of_row = shifts[first_row + i], of_column = shifts[first_column + j],
              of_next = j + 1 < shape.n ? shifts[first_column + j + 1] : 0;
    if (shape.k > 0 && (of_row == NOT_FINITE || of_column == NOT_FINITE || of_next == NOT_FINITE)) {
      all_finite = false;
      continue;
    }
    value pair[2];
    pair[0] = pair[1] = 0;
    if (shape.k > 0) {
      pair[0] = element_of(sums[e], of_row + of_column);
      pair[1] = element_of(sums[e + 1], of_row + of_next);
    }
    update_pair(whole, shape, alpha, beta, c, c_at, i, j, pair);
  }
  if (all_finite || shape.k == 0) return;
#pragma unroll 1
  for (ulong i = i0; i < i0 + 16; i += 8) {
    if (i >= shape.m || j >= shape.n) continue;
    const bool has_next = j + 1 < shape.n;
    if (shifts[first_row + i] != NOT_FINITE && shifts[first_column + j] != NOT_FINITE &&
        !(has_next && shifts[first_column + j + 1] == NOT_FINITE))
      continue;
#pragma unroll 1
    for (ulong next = j; next <= j + (has_next ? 1 : 0); next++)
      update_value(c, c_at, i, next, alpha, plain_sum(shape.k, a, a_at, b, b_at, i, next), beta);
  }
}
