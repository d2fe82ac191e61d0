// C = alpha * A * B + beta * C of integers of 32 bits, modulo 2^32, by wgmma on NVIDIA's Hopper, which multiplies
// bytes. Each operand is copied into slices of a byte (nvidia/slices.cl), and nvidia/wide_blocks.cl multiplies ten
// pairs of slices, exactly. Ozaki, Ogita, Oishi and Rump split floating-point numbers in this way ("Error-free
// transformations of matrix multiplication by using fast routines of matrix multiplication and its applications",
// Numerical Algorithms 59, 2012); integers are simpler.

#include "common/element.cl"
#include "nvidia/copied_side.cl"
#include "nvidia/byte_quads.cl"
#include "nvidia/wide_blocks.cl"
#include "nvidia/word_results.cl"

#define QUADS_OF_ITEM (QUADS / COPY_ROWS)

// The integer whose bytes, as signed ones, are the slices of x: what a byte is below its unsigned value is carried to the
// next one.
static inline uint carried(const uint x) { return (x + 0x00808080) ^ 0x00808080; }

// Work-groups split the copy: in dimension 0 the first ones copy A and the others B, dimension 1 splits the depth. Each
// slice has room for whole blocks of C.
kernel __attribute__((reqd_work_group_size(COPY_TILE, COPY_ROWS, 1)))
void multiply_copy_operands(const ulong depth, global const uint* restrict a, const Side a_side,
                            global uchar* restrict a_copy, global const uint* restrict b, const Side b_side,
                            global uchar* restrict b_copy) {
  local uint tile[SLICES][COPY_TILE][QUADS + 1];  // [slice][w][four of p]
  const uint item = get_local_id(1) * COPY_TILE + get_local_id(0), low = item % QUADS, high = item / QUADS;
  const bool is_a = get_group_id(0) < a_side.groups;
  const Side side = is_a ? a_side : b_side;
  const ulong w0 = (get_group_id(0) - (is_a ? 0 : a_side.groups)) * COPY_TILE;
  const uint rows_of_block = is_a ? TILE_M : TILE_N;
  const ulong step_of_slice = (side.width + rows_of_block - 1) / rows_of_block * rows_of_block * side.to_stride;
  global const uint* from = (is_a ? a : b) + side.offset;
  global uchar* to = is_a ? a_copy : b_copy;
  for (ulong p0 = (ulong)get_group_id(1) * COPY_TILE; p0 < depth; p0 += (ulong)get_num_groups(1) * COPY_TILE) {
#pragma unroll
    for (uint r = 0; r < QUADS_OF_ITEM; r++) {
      // Neighbouring work-items read neighbours in memory.
      const uint w = side.k_stride == 1 ? high + r * QUADS : get_local_id(0),
                 quad = side.k_stride == 1 ? low : get_local_id(1) + r * COPY_ROWS;
      uint words[4];
#pragma unroll
      for (uint i = 0; i < 4; i++) {
        const ulong p = p0 + quad * 4 + i;
        words[i] = w0 + w < side.width && p < depth ? carried(from[(w0 + w) * side.stride + p * side.k_stride]) : 0;
      }
#pragma unroll
      for (uint slice = 0; slice < SLICES; slice++) tile[slice][w][quad] = byte_of_each(words, slice);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint r = 0; r < QUADS_OF_ITEM; r++) {
      const ulong w = w0 + high + r * QUADS;
      // A row has room for the whole of its last four.
      if (w >= side.width || p0 + 4 * low >= depth) continue;
#pragma unroll
      for (uint slice = 0; slice < SLICES; slice++)
        *(global uint*)(to + slice * step_of_slice + w * side.to_stride + p0 + 4 * low) =
            tile[slice][high + r * QUADS][low];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
