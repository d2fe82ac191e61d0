// C = alpha * A * B + beta * C by mma.sync on NVIDIA's GPUs from Ampere on, of floats as two halves each (accuracy
// "bounded"; see nvidia/split_halves.cl). Complex matrices are multiplied as real ones; n and k count parts. Of the
// four products of halves, the three larger ones are summed. The sums of 32 products are added in float because tensor
// cores truncate (Ootomo and Yokota, see there).
//   TILE_M, TILE_N  256 x 128 numbers of C for a work-group; each of its eight warps has 32 x 128
//   TILE_K          depth of a stage: 32
//   STAGES, SWIZZLE  see nvidia/async_stages.cl and common/block_order.cl

#include "nvidia/async_stages.cl"
#include "nvidia/half_sums.cl"
#include "nvidia/mma.cl"

#if TILE_K != 32
#error "TILE_K is not 32"
#endif

#define A_BYTES (TILE_M * TILE_K * 4)
#define B_BYTES (TILE_N * TILE_K * 4)
#define STAGE_BYTES (A_BYTES + B_BYTES)
#define ROW_STEP (UNITS_OF_8_ROWS * 16)
#define STEP_BYTES 512  // of 8 rows and 16 of k: the larger halves, then the smaller ones
#define SMALLER 256     // bytes from the larger halves to the smaller ones
#define BAND_STEP (64 / 8 * ROW_STEP)
#define STEPS_OF_SUM (TILE_K / 16)  // products that tensor cores add up
#define COLUMNS_AT_ONCE 16

// The panels of a step that are copied next, from this work-item's first piece on.
typedef struct {
  global const uchar *a, *b;
} Panels;

// Copies part `part` of FETCHES to a stage, if `wanted`.
#define FETCHES 4
inlined void fetch_part(const bool wanted, const Panels panels, const uint part, const uint to) {
  const uint at = get_local_id(0) * 16;
#pragma unroll
  for (uint byte = part * A_BYTES / FETCHES; byte < (part + 1) * A_BYTES / FETCHES; byte += SUMMERS * 16)
    COPY_PIECE_IF(wanted, to + at + byte, panels.a + byte);
#pragma unroll
  for (uint byte = part * B_BYTES / FETCHES; byte < (part + 1) * B_BYTES / FETCHES; byte += SUMMERS * 16)
    COPY_PIECE_IF(wanted, to + A_BYTES + at + byte, panels.b + byte);
}

// Adds TILE_K products each to a warp's sums, and copies the next panels if `wanted`. Places are addresses of
// the lane's rows of matrices.
inlined void multiply_panels(float sum[SUMS], const uint a_place, const uint b_place, const bool wanted,
                             const Panels panels, const uint to) {
  uint a[STEPS_OF_SUM][2][2][4];  // [step][band][larger, smaller]
#pragma unroll
  for (uint e = 0; e < STEPS_OF_SUM * 4; e++)
    load_matrices(a[e / 4][e / 2 % 2][e % 2],
                  a_place + e / 4 * STEP_BYTES + e / 2 % 2 * BAND_STEP + e % 2 * SMALLER, false);
#pragma unroll
  for (uint column = 0; column < TILE_N; column += COLUMNS_AT_ONCE) {
    if (column % (TILE_N / FETCHES) == 0) fetch_part(wanted, panels, column / (TILE_N / FETCHES), to);
    float products[2][2][4];  // [band][8 columns]
#pragma unroll
    for (uint e = 0; e < 16; e++) products[e / 8][e / 4 % 2][e % 4] = 0;
#pragma unroll
    for (uint step = 0; step < STEPS_OF_SUM; step++) {
      uint b[2][4];
#pragma unroll
      for (uint size = 0; size < 2; size++)
        load_matrices(b[size], b_place + column / 8 * ROW_STEP + step * STEP_BYTES + size * SMALLER, false);
#pragma unroll
      for (uint pair = 0; pair < 3; pair++) {  // smaller x larger, larger x smaller, larger x larger
#pragma unroll
        for (uint e = 0; e < 4; e++)
          multiply_halves(products[e / 2][e % 2], a[step][e / 2][pair == 0 ? 1 : 0], b[pair == 1 ? 1 : 0] + e % 2 * 2);
      }
    }
#pragma unroll
    for (uint e = 0; e < 16; e++) sum[e / 8 * 64 + column / 2 + e % 8] += products[e / 8][e / 4 % 2][e % 4];
  }
}

kernel __attribute__((reqd_work_group_size(SUMMERS, 1, 1)))
void multiply_mma_halves(const Shape shape, const value alpha, const value beta, const Work work,
                                 global const uchar* restrict a_panels, global const uchar* restrict b_panels,
                                 global const uint* restrict largest,  // of A's rows, then of B's columns
                                 global element* restrict c, const Layout c_at,  // m x n numbers
                                 global number* parts, global uint* counters) {
  local uint4 stages[STAGES * STAGE_BYTES / 16] __attribute__((aligned(128)));
  local ulong barriers[2 * STAGES];
  local uint told;
  const uint item = get_local_id(0), lane = item % WARP, warp = item / WARP;
  const uint memory = LOCAL_ADDRESS(stages), arrived = LOCAL_ADDRESS(barriers), used = arrived + 8 * STAGES;
  const ulong a_rows = (ulong)work.down * TILE_M, b_columns = (ulong)work.across * TILE_N;
  if (item == 0) {
    make_barriers(arrived, SUMMERS);
    make_barriers(used, SUMMERS / WARP);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint steps = shape.k == 0 ? 0 : work.steps;
  // Lane 8 q + r gives the address of row r of matrix q: A's are 8 rows apart, then 8 of k, and B's 8 of k, then 8
  // columns.
  const uint a_place = memory + (warp / 4 * 128 + warp % 4 * 16) / 8 * ROW_STEP + lane / 8 % 2 * ROW_STEP +
                       lane / 16 * 128 + lane % 8 * 16;
  const uint b_place = memory + A_BYTES + lane / 16 * ROW_STEP + lane / 8 % 2 * 128 + lane % 8 * 16;
  uint stage = 0, phase = 0, next = 0, next_phase = 1, done = 0;
  do {
    const Segment segment = segment_at(work, done);
    const uint2 block = block_at(segment.block, work.down, work.across);
    const uint count = min(segment.count, steps);
    Panels panels = {a_panels + (segment.first * a_rows + block.x * TILE_M) * (TILE_K * 4) + item * 16,
                     b_panels + (segment.first * b_columns + block.y * TILE_N) * (TILE_K * 4) + item * 16};
    float sum[SUMS];
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;
    // Panels are multiplied STEPS_AHEAD steps after they were fetched.
    uint step = 0;
#pragma unroll 1
    for (uint ahead = 0; step < count; ahead++) {
      const bool wanted = ahead < count;
      const uint to = memory + next * STAGE_BYTES;
      if (wanted) WAIT_FOR_COPIES(used + 8 * next, next_phase);
      if (ahead < STEPS_AHEAD) {
#pragma unroll
        for (uint part = 0; part < FETCHES; part++) fetch_part(wanted, panels, part, to);
      } else {
        WAIT_FOR_COPIES(arrived + 8 * stage, phase);
        multiply_panels(sum, a_place + stage * STAGE_BYTES, b_place + stage * STAGE_BYTES, wanted, panels, to);
        arrive_with_warp(used + 8 * stage);
        advance(&stage, &phase);
        step++;
      }
      if (wanted) {
        ARRIVE_WITH_COPIES(arrived + 8 * next);
        advance(&next, &next_phase);
        panels.a += a_rows * (TILE_K * 4);
        panels.b += b_columns * (TILE_K * 4);
      }
    }
    if (has_all_sums(work, segment, parts, counters, &told, sum, SUMS, SUMMERS, item))
      finish(shape, alpha, beta, largest, a_rows, c, c_at, block, item, sum);
    done += segment.count;
  } while (done < steps_of_group(work));
}
