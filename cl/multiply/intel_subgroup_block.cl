// C = alpha * A * B + beta * C: a sub-group owns MR x SUBGROUP_SIZE * NR elements of C, and reads blocks of A and B by
// cl_intel_subgroups: consecutive words, one per lane (Ashbaugh, IWOCL 2015).
//   SUBGROUP_SIZE, SUB_GROUPS  see common/lanes.cl; the sub-groups of a work-group are stacked in rows
//   MR  rows of C of a sub-group
//   NR  columns of C of a lane, SUBGROUP_SIZE apart
// Block reads need consecutive words. So A and B, in any layout, are first packed in blocks of SUBGROUP_SIZE words,
// with zeros beyond the matrix. A double is two words in two blocks.

#include "common/product.cl"
#include "common/lanes.cl"

#ifndef MR
#error "MR is not defined"
#endif
#ifndef NR
#error "NR is not defined"
#endif

#if ELEMENT == 1
#define WORDS 2
#define READ_BLOCK(blocks) as_double(intel_sub_group_block_read2(blocks))
#elif ELEMENT == 2
#define WORDS 1
#define READ_BLOCK(blocks) intel_sub_group_block_read(blocks)
#else
#define WORDS 1
#define READ_BLOCK(blocks) as_float(intel_sub_group_block_read(blocks))
#endif

// Number `lane` of block `block`.
static inline void write_block(global uint* blocks, const ulong block, const uint lane, const number value) {
  blocks += block * (WORDS * SUBGROUP_SIZE) + lane;
#if WORDS == 2
  const uint2 words = as_uint2(value);
  blocks[0] = words.x;
  blocks[SUBGROUP_SIZE] = words.y;
#elif ELEMENT == 2
  blocks[0] = value;
#else
  blocks[0] = as_uint(value);
#endif
}

// A: blocks [m / MR][k / SUBGROUP_SIZE][MR] of SUBGROUP_SIZE elements of a row.
kernel __attribute__((reqd_work_group_size(SUBGROUP_SIZE, 1, 1)))
void multiply_intel_subgroup_block_pack_a(const Shape shape, global const element* restrict a, const Layout a_at,
                                          global uint* restrict packed) {
  const ulong i = get_global_id(1), p = get_global_id(0);
  packed += get_group_id(2) * get_global_size(1) * get_global_size(0) * WORDS;
  const ulong block = ((i / MR) * get_num_groups(0) + get_group_id(0)) * MR + i % MR;
  const bool inside = i < shape.m && p < shape.k;
  write_block(packed, block, get_local_id(0),
              inside ? LOAD(a, start_of(a_at) + i * a_at.row + p * a_at.column) : 0);
}

// B: blocks [n / (SUBGROUP_SIZE * NR)][k][NR] of SUBGROUP_SIZE elements of a row.
kernel __attribute__((reqd_work_group_size(SUBGROUP_SIZE, 1, 1)))
void multiply_intel_subgroup_block_pack_b(const Shape shape, global const element* restrict b, const Layout b_at,
                                          global uint* restrict packed) {
  const ulong p = get_global_id(1), j = get_global_id(0), column = get_group_id(0);
  packed += get_group_id(2) * get_global_size(1) * get_global_size(0) * WORDS;
  const ulong block = ((column / NR) * get_global_size(1) + p) * NR + column % NR;
  const bool inside = p < shape.k && j < shape.n;
  write_block(packed, block, get_local_id(0),
              inside ? LOAD(b, start_of(b_at) + p * b_at.row + j * b_at.column) : 0);
}

LANES_GROUP kernel void multiply_intel_subgroup_block(
    const Shape shape, const number alpha, const number beta,
    global const uint* restrict a,  // packed, for get_global_size(1) * MR rows
    global const uint* restrict b,  // packed, for get_num_groups(0) * SUBGROUP_SIZE * NR columns
    global output* restrict c, const Layout c_at) {  // m x n
  const ulong steps = (shape.k + SUBGROUP_SIZE - 1) / SUBGROUP_SIZE;
  const ulong i = get_global_id(1) * MR;
  const ulong j = get_group_id(0) * (SUBGROUP_SIZE * NR) + get_local_id(0);
  a += (get_group_id(2) * get_global_size(1) + get_global_id(1)) * max(steps, (ulong)1) * (MR * WORDS * SUBGROUP_SIZE);
  b += (get_group_id(2) * get_num_groups(0) + get_group_id(0)) * max(steps, (ulong)1) * (SUBGROUP_SIZE * NR * WORDS * SUBGROUP_SIZE);

  number sum[MR][NR];
  for (int r = 0; r < MR; r++) {
    for (int q = 0; q < NR; q++) sum[r][q] = 0;
  }
  for (ulong step = 0; step < steps; step++) {
    number mine[MR];
    for (int r = 0; r < MR; r++) mine[r] = READ_BLOCK(a + r * (WORDS * SUBGROUP_SIZE));
    a += MR * WORDS * SUBGROUP_SIZE;
    for (uint p = 0; p < SUBGROUP_SIZE; p++) {
      for (int q = 0; q < NR; q++) {
        const number factor = READ_BLOCK(b);
        b += WORDS * SUBGROUP_SIZE;
        for (int r = 0; r < MR; r++) {
          sum[r][q] = MULTIPLY_ADD(intel_sub_group_shuffle(mine[r], p), factor, sum[r][q]);
        }
      }
    }
  }
  for (int r = 0; r < MR; r++) {
    for (int q = 0; q < NR; q++) {
      if (i + r < shape.m && j + q * SUBGROUP_SIZE < shape.n) {
        update(c, c_at, i + r, j + q * SUBGROUP_SIZE, alpha, sum[r][q], beta);
      }
    }
  }
}
