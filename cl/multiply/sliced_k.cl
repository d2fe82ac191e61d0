// C = alpha * A * B + beta * C for GPUs and a C of few elements: see common/sliced_blocks.cl. A work-item computes
// WORK_M x WORK_N elements of a block in registers.
//   WORK_M, WORK_N  multiples of 4

#include "common/quads.cl"
#include "common/sliced_blocks.cl"

#define ITEMS_M (TILE_M / WORK_M)
#define ITEMS_N (TILE_N / WORK_N)

// Rows and columns of a work-item are groups of four adjacent ones. Work-items are counted in bands of 8 rows of them,
// so that 32 consecutive ones share as many numbers of A and B as possible, as do any four.
#define BAND (ITEMS_M < 8 ? ITEMS_M : 8)

inlined uint first_of_a(const uint item) { return (item / (BAND * ITEMS_N) * BAND + item / 2 % BAND) * 4; }
inlined uint first_of_b(const uint item) { return (item / (2 * BAND) % (ITEMS_N / 2) * 2 + item % 2) * 4; }

inlined uint row_in_band(const uint item, const uint e) { return first_of_a(item) + e / WORK_N; }
inlined uint column_of_sum(const uint item, const uint e) {
  const uint column = e % WORK_N;
  return first_of_b(item) + column / 4 * (4 * ITEMS_N) + column % 4;
}

inlined void load_part(number* part, const uint work, local const number* row, const uint items) {
#pragma unroll
  for (uint r = 0; r < work; r += 4) load_quad(part + r, row + r * items);
}

inlined void multiply_steps(number sum[SUMS], local const number* a_tile, local const number* b_tile,
                            const uint steps) {
#pragma unroll 16  // more would not stay in a cache of instructions
  for (uint p = 0; p < steps; p++) {
    number a_part[WORK_M], b_part[WORK_N];
    load_part(a_part, WORK_M, a_tile + p * A_PITCH, ITEMS_M);
    load_part(b_part, WORK_N, b_tile + p * B_PITCH, ITEMS_N);
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = MULTIPLY_ADD(a_part[e / WORK_N], b_part[e % WORK_N], sum[e]);
  }
}
