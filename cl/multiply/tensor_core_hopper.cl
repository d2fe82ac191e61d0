// C = alpha * A * B + beta * C by wgmma on NVIDIA's Hopper, of floats as two halves each (accuracy "bounded"; see
// nvidia/split_halves.cl). Complex matrices are multiplied as real ones; n and k count parts. Of the four products of
// halves, the three larger ones are summed. The sums of TILE_K products are added in float because tensor cores truncate
// (DeepSeek-AI, "DeepSeek-V3 technical report", 2024, 3.3.2).
//   TILE_M, TILE_N  256 x 128 numbers of C for a work-group: two warp-groups with 128 x 128 each, and one that copies
//   TILE_K          depth of a stage: a multiple of 16
//   STAGES, SWIZZLE  see nvidia/bulk_copies.cl and common/block_order.cl

#include "nvidia/bulk_copies.cl"
#include "nvidia/wgmma.cl"
#include "nvidia/half_sums.cl"

#define ITEMS (3 * WARP_GROUP)

// The same value, so that what depends on it is not computed before a loop and kept in registers meanwhile.
static inline uint computed_here(const uint x) {
  uint same;
  asm volatile("mov.u32 %0, %1;" : "=r"(same) : "r"(x));
  return same;
}

static inline ulong computed_here_long(const ulong x) {
  ulong same;
  asm volatile("mov.u64 %0, %1;" : "=l"(same) : "l"(x));
  return same;
}

#define A_BYTES (TILE_M * TILE_K * 4)
#define B_BYTES (TILE_N * TILE_K * 4)
#define STAGE_BYTES (A_BYTES + B_BYTES)
#define ROW_STEP (UNITS_OF_8_ROWS * 16)

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_tensor_core_hopper(const Shape shape, const value alpha, const value beta, const Work work,
                                 global const uchar* restrict a_panels, global const uchar* restrict b_panels,
                                 global const uint* restrict largest,  // of A's rows, then of B's columns
                                 global element* restrict c, const Layout c_at,  // m x n numbers
                                 global number* parts, global uint* counters) {
  local uint told;
  local uint4 stages[STAGES * STAGE_BYTES / 16] __attribute__((aligned(128)));
  local ulong barriers[2 * STAGES];
  const uint item = get_local_id(0), lane = item % WARP;
  const ulong a_rows = (ulong)work.down * TILE_M, b_columns = (ulong)work.across * TILE_N;
  const uint memory = LOCAL_ADDRESS(stages), arrived = LOCAL_ADDRESS(barriers), used = arrived + 8 * STAGES;
  if (item == 0) {
    make_barriers(arrived, 1);
    make_barriers(used, SUMMERS / WARP);
    publish_barriers();
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint steps = shape.k == 0 ? 0 : work.steps;
  uint stage = 0, phase = 0, done = 0;

  if (item >= SUMMERS) {
    FEWER_REGISTERS(40);
    if (item > SUMMERS || steps == 0) return;
    phase = 1;
    do {
      const Segment segment = segment_at(work, done);
      const uint2 block = block_at(segment.block, work.down, work.across);
      global const uchar* from_a = a_panels + (segment.first * a_rows + block.x * TILE_M) * (TILE_K * 4);
      global const uchar* from_b = b_panels + (segment.first * b_columns + block.y * TILE_N) * (TILE_K * 4);
      // Not unrolled: of four copies, the assembler of CUDA 13.0 loses half of an address.
#pragma unroll 1
      for (uint step = 0; step < segment.count; step++) {
        WAIT_FOR_STAGE(used + 8 * stage, phase);
        expect_bytes(arrived + 8 * stage, STAGE_BYTES);
        copy_bytes(memory + stage * STAGE_BYTES, from_a, A_BYTES, arrived + 8 * stage);
        copy_bytes(memory + stage * STAGE_BYTES + A_BYTES, from_b, B_BYTES, arrived + 8 * stage);
        from_a += a_rows * (TILE_K * 4);
        from_b += b_columns * (TILE_K * 4);
        advance(&stage, &phase);
      }
      done += segment.count;
    } while (done < steps_of_group(work));
    return;
  }

  MORE_REGISTERS(232);
  const uint group = item / WARP_GROUP;
  do {
    const Segment segment = segment_at(work, done);
    const uint count = min(segment.count, steps);
    float sum[SUMS];
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;
    for (uint step = 0; step < count; step++) {
      WAIT_FOR_STAGE(arrived + 8 * stage, phase);
      const uint a = memory + stage * STAGE_BYTES + group * (128 / 8 * ROW_STEP);
      const ulong b = wgmma_descriptor(memory + stage * STAGE_BYTES + A_BYTES, ROW_STEP);
      // While one warp-group adds its sums, the other one multiplies. Not unrolled: the products of the two blocks
      // would get separate registers, and there are too few.
#pragma unroll 1
      for (uint r = 0; r < 2; r++) {
        float products[64];
#pragma unroll
        for (uint e = 0; e < 64; e++) products[e] = 0;
        const ulong rows = wgmma_descriptor(a + r * (64 / 8 * ROW_STEP), ROW_STEP);
        WGMMA_FENCE();
#pragma unroll
        for (uint p = 0; p < TILE_K / 16; p++) {  // the smaller halves are 256 bytes behind the larger
          WGMMA(products, rows + p * 32 + 16, b + p * 32, p > 0);
          WGMMA(products, rows + p * 32, b + p * 32 + 16, 1);
          WGMMA(products, rows + p * 32, b + p * 32, 1);
        }
        WGMMA_COMMIT();
        WGMMA_WAIT_FOR(products);
        if (r == 0) {
#pragma unroll
          for (uint e = 0; e < 64; e++) sum[e] += products[e];
        } else {
#pragma unroll
          for (uint e = 0; e < 64; e++) sum[64 + e] += products[e];
        }
      }
      if (lane == 0) arrive(used + 8 * stage);
      advance(&stage, &phase);
    }
    const uint here = computed_here(item);
    if (has_all_sums(work, segment, parts, counters, &told, sum, SUMS, SUMMERS, here)) {
      const Layout c_here = {c_at.offset, computed_here_long(c_at.row), 1, 0};
      const uint2 block = block_at(segment.block, work.down, work.across);
      finish(shape, alpha, beta, largest, a_rows, c, c_here, block, here, sum);
    }
    done += segment.count;
  } while (done < steps_of_group(work));
}
