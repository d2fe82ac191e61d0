// Copies of operands whose rows do not begin at multiples of 16 bytes, as tensor maps take them, or that are wanted
// transposed, or conjugated.
//   CONVERT  1: halves and bfloat16s become floats

#include "common/complex.cl"
#include "nvidia/copied_side.cl"

#ifndef CONVERT
#error "CONVERT is not defined"
#endif

#if (ELEMENT == 3 || ELEMENT == 5) && !CONVERT
typedef ushort copied;
#define LOAD_COPIED(is_a, pointer, index) (((global const ushort*)(pointer))[index])
#else
typedef value copied;
#ifdef COMPLEX
#define LOAD_COPIED(is_a, pointer, index) ((is_a) ? LOAD_A(pointer, index) : LOAD_B(pointer, index))
#else
#define LOAD_COPIED(is_a, pointer, index) LOAD(pointer, index)
#endif
#endif

#define COPY_TILE 64
#define COPY_ROWS 4
#define COPY_EACH (COPY_TILE / COPY_ROWS)  // elements of a work-item

// Work-groups split the copy: in dimension 0 the first ones copy A and the others B, dimension 1 splits the depth. They
// read and write along the stride that is 1, through local memory if it is not the same one. A work-item loads all its
// elements before it stores any, so that all loads are in flight at once. In place of elements outside of the operand,
// it loads the last ones again.
kernel __attribute__((reqd_work_group_size(COPY_TILE, COPY_ROWS, 1)))
void multiply_copy_operands(const ulong depth, global const entry* restrict a, const Side a_side,
                            global copied* restrict a_copy, global const entry* restrict b, const Side b_side,
                            global copied* restrict b_copy) {
  local copied tile[COPY_TILE][COPY_TILE + 1];  // [p][w]
  const uint lane = get_local_id(0), row = get_local_id(1);
  const bool is_a = get_group_id(0) < a_side.groups;
  const Side side = is_a ? a_side : b_side;
  const ulong w0 = (get_group_id(0) - (is_a ? 0 : a_side.groups)) * COPY_TILE;
  global const entry* from = (is_a ? a : b) + side.offset;
  global copied* to = is_a ? a_copy : b_copy;
  const bool reads_along_k = side.k_stride == 1, writes_along_k = side.to_k_stride == 1;
#define IN_W(along_k, e) ((along_k) ? row + (e) * COPY_ROWS : lane)
#define IN_P(along_k, e) ((along_k) ? lane : row + (e) * COPY_ROWS)
  for (ulong p0 = (ulong)get_group_id(1) * COPY_TILE; p0 < depth; p0 += (ulong)get_num_groups(1) * COPY_TILE) {
    copied elements[COPY_EACH];
#pragma unroll
    for (uint e = 0; e < COPY_EACH; e++) {
      const ulong w = min(w0 + IN_W(reads_along_k, e), side.width - 1), p = min(p0 + IN_P(reads_along_k, e), depth - 1);
      elements[e] = LOAD_COPIED(is_a, from, w * side.stride + p * side.k_stride);
    }
    if (reads_along_k != writes_along_k) {
#pragma unroll
      for (uint e = 0; e < COPY_EACH; e++) tile[IN_P(reads_along_k, e)][IN_W(reads_along_k, e)] = elements[e];
      barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
      for (uint e = 0; e < COPY_EACH; e++) elements[e] = tile[IN_P(writes_along_k, e)][IN_W(writes_along_k, e)];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint e = 0; e < COPY_EACH; e++) {
      const ulong w = w0 + IN_W(writes_along_k, e), p = p0 + IN_P(writes_along_k, e);
      if (w < side.width && p < depth) to[w * side.to_stride + p * side.to_k_stride] = elements[e];
    }
  }
}
