// Panels: A's rows, or B's columns, WIDTH at a time: element (w, p) of a width x depth operand is number
// (p * (WIDTH + PAD)) + w % WIDTH of panel w / WIDTH. What lies outside of the operand is zero.
//   TILE_K   the depth is a multiple of it

#ifndef TILE_K
#error "TILE_K is not defined"
#endif

// Numbers between the rows of a panel, whose values do not matter: doubles are read from four rows at once.
#define PAD (ELEMENT == 1 ? 4 : 0)

#define PACK_TILE 32
#define PACK_ROWS 8

static inline ulong padded_depth(const ulong depth) { return (depth + TILE_K - 1) / TILE_K * TILE_K; }

// The rows of A, or the columns of B: element (w, p) is number offset + w * stride + p * k_stride.
typedef struct {
  ulong offset, width, stride, k_stride;
  ulong panel;   // their number in a panel
  ulong groups;  // work-groups that pack them
} Side;

// The first work-groups of dimension 0 pack A, the others B, PACK_TILE rows or columns each; those of dimension 1 share
// out the depth. They read along whichever stride is 1, and write along the width.
kernel __attribute__((reqd_work_group_size(PACK_TILE, PACK_ROWS, 1)))
void multiply_pack_panels(const ulong depth, global const element* restrict a, const Side a_side,
                          global number* restrict a_panels, global const element* restrict b, const Side b_side,
                          global number* restrict b_panels) {
  local number tile[PACK_TILE][PACK_TILE + 1];  // [p][w]
  const uint lane = get_local_id(0), row = get_local_id(1);
  const bool is_a = get_group_id(0) < a_side.groups;
  const Side side = is_a ? a_side : b_side;
  const ulong w0 = (get_group_id(0) - (is_a ? 0 : a_side.groups)) * PACK_TILE, padded = padded_depth(depth);
  const uint row_step = side.panel + PAD;
  global const element* x = (is_a ? a : b) + side.offset;
  global number* panels = (is_a ? a_panels : b_panels) + w0 / side.panel * padded * row_step + w0 % side.panel + lane;
  const bool along_k = side.k_stride == 1;
  for (ulong p0 = (ulong)get_group_id(1) * PACK_TILE; p0 < padded; p0 += (ulong)get_num_groups(1) * PACK_TILE) {
#pragma unroll
    for (uint r = 0; r < PACK_TILE; r += PACK_ROWS) {
      const uint in_w = along_k ? row + r : lane, in_p = along_k ? lane : row + r;
      const ulong w = w0 + in_w, p = p0 + in_p;
      tile[in_p][in_w] = w < side.width && p < depth ? load(x, w * side.stride + p * side.k_stride) : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint r = 0; r < PACK_TILE; r += PACK_ROWS) {
      const ulong p = p0 + row + r;
      if (p < padded) panels[p * row_step] = tile[row + r][lane];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
