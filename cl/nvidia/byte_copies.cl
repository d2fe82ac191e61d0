// Copies of operands of bytes that are not stored along k, or whose rows do not begin at multiples of 16 bytes.

#include "common/element.cl"
#include "nvidia/copied_side.cl"
#include "nvidia/byte_quads.cl"

// Returns the four bytes from `index` on. If they are not one word, it also reads the next word.
static inline uint four_at(global const uchar* from, const ulong index) {
  global const uint* words = (global const uint*)from + index / 4;
  const uint shift = index % 4 * 8;
  return shift == 0 ? words[0] : words[0] >> shift | words[1] << (32 - shift);
}

// Loads four neighbours along k of four rows of A, or columns of B: row w0 + i into word i, with 0 for elements that do
// not exist.
inlined void load_quad(global const uchar* from, const Side side, const ulong depth, const ulong w0, const ulong p0,
                       uint quad[4]) {
  const bool along_k = side.k_stride == 1;
  const ulong first = side.offset + w0 * side.stride + p0 * side.k_stride, step = along_k ? side.stride : side.k_stride;
  const bool is_whole = w0 + 4 <= side.width && p0 + 4 <= depth, in_words = (first | step) % 4 == 0;
  const bool has_more = along_k ? p0 + 8 <= depth : w0 + 8 <= side.width;
  if (is_whole && (along_k || side.stride == 1) && (in_words || has_more)) {
    uint line[4];
#pragma unroll
    for (uint i = 0; i < 4; i++) line[i] = four_at(from, first + i * step);
#pragma unroll
    for (uint i = 0; i < 4; i++) quad[i] = along_k ? line[i] : byte_of_each(line, i);
    return;
  }
#pragma unroll
  for (uint i = 0; i < 4; i++) {
    quad[i] = 0;
    // PoCL 5.0 aborts when it has unrolled this loop too: its assertion on the barriers around the call fails.
    for (uint j = 0; j < 4; j++) {
      if (w0 + i < side.width && p0 + j < depth)
        quad[i] |= (uint)from[first + i * side.stride + j * side.k_stride] << 8 * j;
    }
  }
}

// Work-groups split the copy: in dimension 0 the first ones copy A and the others B, dimension 1 splits the depth.
kernel __attribute__((reqd_work_group_size(COPY_TILE, COPY_ROWS, 1)))
void multiply_copy_operands(const ulong depth, global const uchar* restrict a, const Side a_side,
                            global uchar* restrict a_copy, global const uchar* restrict b, const Side b_side,
                            global uchar* restrict b_copy) {
  local uint tile[COPY_TILE][QUADS + 1];  // [w][four of p]
  const uint item = get_local_id(1) * COPY_TILE + get_local_id(0), low = item % QUADS, high = item / QUADS;
  const bool is_a = get_group_id(0) < a_side.groups;
  const Side side = is_a ? a_side : b_side;
  const ulong w0 = (get_group_id(0) - (is_a ? 0 : a_side.groups)) * COPY_TILE;
  global const uchar* from = is_a ? a : b;
  global uchar* to = is_a ? a_copy : b_copy;
  // Neighbouring work-items read neighbours in memory.
  const uint w = 4 * (side.k_stride == 1 ? high : low), p = 4 * (side.k_stride == 1 ? low : high);
  for (ulong p0 = (ulong)get_group_id(1) * COPY_TILE; p0 < depth; p0 += (ulong)get_num_groups(1) * COPY_TILE) {
    uint quad[4];
    load_quad(from, side, depth, w0 + w, p0 + p, quad);
#pragma unroll
    for (uint i = 0; i < 4; i++) tile[w + i][p / 4] = quad[i];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint r = 0; r < COPY_TILE; r += QUADS) {
      const ulong row = w0 + r + high;
      // A row has room for the whole of its last four.
      if (row < side.width && p0 + 4 * low < depth)
        *(global uint*)(to + row * side.to_stride + p0 + 4 * low) = tile[r + high][low];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
