// C = alpha * A * B + beta * C by wgmma on NVIDIA's Hopper, of floats as two halves each (accuracy "bounded"; see
// nvidia/split_halves.cl). Of the four products of halves, the three larger ones are summed. The sums of TILE_K
// products are added in float because tensor cores truncate (DeepSeek-AI, "DeepSeek-V3 technical report", 2024, 3.3.2).
//   TILE_M, TILE_N  256 x 128 elements of C for a work-group: two warp-groups with 128 x 128 each, and one that copies
//   TILE_K          depth of a stage: a multiple of 16
//   STAGES, SWIZZLE  see nvidia/bulk_copies.cl and common/block_order.cl

#include "common/block_order.cl"
#include "nvidia/bulk_copies.cl"
#include "nvidia/wgmma.cl"
#include "nvidia/split_halves.cl"
#include "nvidia/exchange.cl"
#include "nvidia/block_runs.cl"
#include "common/stream_k.cl"

#define TILE_M 256
#define TILE_N 128
#define ITEMS (3 * WARP_GROUP)
#define WARP 32

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
#define SUMS 128  // of a work-item: 2 x 64
#define SUMMERS (2 * WARP_GROUP)

// Row and column of C of the first sum of a run. A work-item of the first two warp-groups has 32 runs for each of two
// blocks of 64 rows, in turn of two rows, 8 apart.
inlined ulong2 place_of_run(const uint2 block, const uint item, const uint run) {
  const uint lane = item % WARP, warp = item / WARP;
  return (ulong2)((ulong)block.x * TILE_M + warp / 4 * 128 + warp % 4 * 16 + lane / 4 + run / 32 * 64 + run % 2 * 8,
                  (ulong)block.y * TILE_N + lane % 4 * CONTIGUOUS + run % 32 / 2 * 8);
}

inlined void scale_run(global const uint* largest, const ulong a_rows, const ulong2 at, float sums[CONTIGUOUS]) {
  const int shift = -shift_of(largest[at.x]);
  sums[0] = scaled(sums[0], shift - shift_of(largest[a_rows + at.y]));
  sums[1] = scaled(sums[1], shift - shift_of(largest[a_rows + at.y + 1]));
}

// All sums of a work-item.
inlined void scale_runs(global const uint* largest, const ulong a_rows, const uint2 block, const uint item,
                        float sum[SUMS]) {
#pragma unroll
  for (uint run = 0; run < SUMS / CONTIGUOUS; run++)
    scale_run(largest, a_rows, place_of_run(block, item, run), sum + run * CONTIGUOUS);
}

// Stores a block if fours are whole and beta is 0. Two lanes exchange their runs of two groups of 8 columns, so that
// each stores 16 bytes, and four of them 64 adjacent bytes.
inlined void finish_whole(const Shape shape, const number alpha, global const uint* largest, const ulong a_rows,
                          global element* c, const Layout c_at, const uint2 block, const uint item,
                          const float sum[SUMS]) {
  const uint lane = item % WARP, warp = item / WARP;
  const ulong i = (ulong)block.x * TILE_M + warp / 4 * 128 + warp % 4 * 16 + lane / 4, j = (ulong)block.y * TILE_N;
  global const uint2* of_columns = (global const uint2*)(largest + a_rows + j) + lane % 4;
  const ulong to_j = j + lane % 2 * 8 + lane % 4 / 2 * 4;
  global uint* to = (global uint*)(c + c_at.offset + i * c_at.row + to_j);
  int of_row[4];
#pragma unroll
  for (uint r = 0; r < 4; r++) of_row[r] = -shift_of(largest[i + r / 2 * 64 + r % 2 * 8]);
#pragma unroll
  for (uint pair = 0; pair < TILE_N / 16; pair++) {
    const uint2 low = of_columns[pair * 8], high = of_columns[pair * 8 + 4];
    const int4 of_column = (int4)(shift_of(low.x), shift_of(low.y), shift_of(high.x), shift_of(high.y));
#pragma unroll
    for (uint r = 0; r < 4; r++) {
      const uint e = r / 2 * 64 + pair * 8 + r % 2 * 2;
      uint4 run = as_uint4(alpha * (float4)(scaled(sum[e], of_row[r] - of_column.x),
                                            scaled(sum[e + 1], of_row[r] - of_column.y),
                                            scaled(sum[e + 4], of_row[r] - of_column.z),
                                            scaled(sum[e + 5], of_row[r] - of_column.w)));
      EXCHANGE(run.x, run.z, 1, lane);
      EXCHANGE(run.y, run.w, 1, lane);
      const uint down = r / 2 * 64 + r % 2 * 8;
      if (i + down < shape.m && to_j + pair * 16 < shape.n) *(global uint4*)(to + down * c_at.row + pair * 16) = run;
    }
  }
}

// Stores a block of C. The usual case is separate because it needs little code.
inlined void finish(const Shape shape, const number alpha, const number beta, global const uint* largest,
                    const ulong a_rows, global element* c, const Layout c_at, const uint2 block, const uint item,
                    float sum[SUMS]) {
  if (beta == 0 && has_whole_groups(4, shape, c_at, block, TILE_N)) {
    finish_whole(shape, alpha, largest, a_rows, c, c_at, block, item, sum);
    return;
  }
  scale_runs(largest, a_rows, block, item, sum);
  if (has_whole_runs(shape, c_at, block, TILE_N))
    finish_runs(true, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
  else
    finish_runs(false, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_tensor_core_hopper(const Shape shape, const number alpha, const number beta, const Work work,
                                 global const uchar* restrict a_panels, global const uchar* restrict b_panels,
                                 global const uint* restrict largest,  // of A's rows, then of B's columns
                                 global element* restrict c, const Layout c_at,  // m x n
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

// Finishes the blocks of several sharers: a work-group for each run of the work-items.
kernel __attribute__((reqd_work_group_size(SUMMERS, 1, 1)))
void multiply_tensor_core_hopper_join(const Shape shape, const number alpha, const number beta, const Work work,
                                      global const number* restrict parts, global const uint* restrict largest,
                                      global element* restrict c, const Layout c_at) {
  const uint item = get_local_id(0), run = get_group_id(0), shared = get_group_id(1);
  const uint2 block = block_at(own_blocks(work) + shared, work.down, work.across);
  const ulong2 at = place_of_run(block, item, run);
  float sums[CONTIGUOUS];
  if (!join_run(work, shared, parts, sums, run, SUMS, SUMMERS, item)) return;
  scale_run(largest, (ulong)work.down * TILE_M, at, sums);
  update_run(has_whole_runs(shape, c_at, block, TILE_N), shape, alpha, beta, c, c_at, at.x, at.y, sums);
}
