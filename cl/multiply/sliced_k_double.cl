// C = alpha * A * B + beta * C of doubles on the tensor cores of NVIDIA's GPUs from Ampere on (PTX ISA 7.0, "mma.sync",
// .f64), whose arithmetic is IEEE's: see common/sliced_blocks.cl. Each number is copied by itself, so that operands of
// any pitch are read where they are stored.
//   WARP_M, WARP_N  elements of C for a warp: multiples of 16 and of 8
//   MMA_K           depth of an instruction: 8 from Hopper on, else 4

#include "common/sliced_blocks.cl"

#define WARP 32
#define WARPS_M (TILE_M / WARP_M)
#define WARPS_N (TILE_N / WARP_N)
#define GROUPS_M (WARP_M / 8)
#define GROUPS_N (WARP_N / 8)

// A warp's rows and columns are groups of 8, beside the groups of other warps. Lane 4 g + t has row g of each group of
// A and column g of each group of B at depth t, and of a group of sums row g, and columns 2 t and 2 t + 1.
static inline uint warp_down(const uint item) { return item / WARP / WARPS_N; }
static inline uint warp_across(const uint item) { return item / WARP % WARPS_N; }

inlined uint first_of_a(const uint item) { return item % 4 * A_PITCH + warp_down(item) * 8 + item % WARP / 4; }
inlined uint first_of_b(const uint item) { return item % 4 * B_PITCH + warp_across(item) * 8 + item % WARP / 4; }

inlined uint row_in_band(const uint item, const uint e) { return warp_down(item) * 8 + item % WARP / 4; }
inlined uint column_of_sum(const uint item, const uint e) {
  return e / 2 * (8 * WARPS_N) + warp_across(item) * 8 + item % 4 * 2 + e % 2;
}

#if MMA_K == 8
// Two groups of rows, at depths t and t + 4.
inlined void multiply_groups(number sum[SUMS], const number a[GROUPS_M][2], const number b[GROUPS_N][2]) {
#pragma unroll
  for (uint r = 0; r < GROUPS_M; r += 2) {
#pragma unroll
    for (uint q = 0; q < GROUPS_N; q++) {
      number* const upper = sum + (r * GROUPS_N + q) * 2;
      number* const lower = upper + GROUPS_N * 2;
      asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
          "{%0, %1, %2, %3};"
          : "+d"(upper[0]), "+d"(upper[1]), "+d"(lower[0]), "+d"(lower[1])
          : "d"(a[r][0]), "d"(a[r + 1][0]), "d"(a[r][1]), "d"(a[r + 1][1]), "d"(b[q][0]), "d"(b[q][1]));
    }
  }
}
#else
inlined void multiply_groups(number sum[SUMS], const number a[GROUPS_M][1], const number b[GROUPS_N][1]) {
#pragma unroll
  for (uint e = 0; e < GROUPS_M * GROUPS_N; e++)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(sum[e * 2]), "+d"(sum[e * 2 + 1])
        : "d"(a[e / GROUPS_N][0]), "d"(b[e % GROUPS_N][0]));
}
#endif

inlined void multiply_steps(number sum[SUMS], local const number* a_tile, local const number* b_tile,
                            const uint steps) {
#pragma unroll
  for (uint p = 0; p < steps; p += MMA_K) {
    number a[GROUPS_M][MMA_K / 4], b[GROUPS_N][MMA_K / 4];
#pragma unroll
    for (uint d = 0; d < MMA_K / 4; d++) {
#pragma unroll
      for (uint r = 0; r < GROUPS_M; r++) a[r][d] = a_tile[(p + d * 4) * A_PITCH + r * (8 * WARPS_M)];
#pragma unroll
      for (uint q = 0; q < GROUPS_N; q++) b[q][d] = b_tile[(p + d * 4) * B_PITCH + q * (8 * WARPS_N)];
    }
    multiply_groups(sum, a, b);
  }
}
