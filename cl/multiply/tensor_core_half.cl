// C = alpha * A * B + beta * C of halves by wgmma on NVIDIA's Hopper, summed in float: bulk copies bring tiles of the
// operands, as they lie where tensor maps take them, to local memory.
//   TILE_M, TILE_N  128 x 256 elements of C for a work-group: two warp-groups with 64 x 256 each, and one that copies
//   TILE_K          64: a row of a tile is 128 bytes
//   A_ALONG_K, B_ALONG_K  1: neighbours along k lie beside each other; else rows of A, or columns of B
//   STAGES, SWIZZLE  see common/bulk_copies.cl and common/block_order.cl

#define TILE_M 128
#define TILE_N 256
#define ITEMS (3 * WARP_GROUP)
#define SUMMERS (2 * WARP_GROUP)
#define WARP 32
#define SUMS 128  // of a work-item
#define INNER 64  // halves of a row of a tile
#define A_BYTES (TILE_M * TILE_K * 2)
#define B_BYTES (TILE_N * TILE_K * 2)
#define STAGE_BYTES (A_BYTES + B_BYTES)
#define STEP_OF_64 (INNER * TILE_K * 2)  // from 64 rows of A, or columns of B, to the next

#if A_ALONG_K
#define A_ACROSS "0"
#else
#define A_ACROSS "1"
#endif
#if B_ALONG_K
#define B_ACROSS "0"
#else
#define B_ACROSS "1"
#endif
// From 16 of k to the next, as descriptors count.
#define A_STEP ((A_ALONG_K ? 16 * 2 : 16 * 128) / 16)
#define B_STEP ((B_ALONG_K ? 16 * 2 : 16 * 128) / 16)

// A run of a work-item's sums to C: of 64 rows of its warp-group, in turn of two rows, 8 apart.
inlined void finish_run(const bool whole, const Shape shape, const number alpha, const number beta, global element* c,
                        const Layout c_at, const uint2 block, const uint item, const uint run, const float sums[RUN]) {
  const uint lane = item % WARP, warp = item / WARP;
  const ulong i = (ulong)block.x * TILE_M + warp * 16 + lane / 4 + run % 2 * 8,
              j = (ulong)block.y * TILE_N + lane % 4 * RUN + run / 2 * 8;
  update_run(whole, shape, alpha, beta, c, c_at, i, j, sums);
}

static inline uint of_lane_xor(const uint value, const uint mask) {
  uint other;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(value), "r"(mask));
  return other;
}

#define exchange(x, y, bit, lane)                           \
  do {                                                      \
    const uint other_ = of_lane_xor((lane) & (bit) ? (x) : (y), bit); \
    if ((lane) & (bit)) (x) = other_;                       \
    else (y) = other_;                                      \
  } while (0)

// All of them. In the usual case four lanes exchange their runs of four groups of 8 columns, so that each stores one
// group, 16 bytes.
inlined void finish(const Shape shape, const number alpha, const number beta, global element* c, const Layout c_at,
                    const uint2 block, const uint item, const float sum[SUMS]) {
  const bool in_groups = beta == 0 && (c_at.offset | c_at.row) % 8 == 0;
  if (in_groups && has_whole_runs(shape, c_at, block, TILE_M, TILE_N)) {
    const uint lane = item % WARP, warp = item / WARP;
    global element* to = c + c_at.offset + ((ulong)block.x * TILE_M + warp * 16 + lane / 4) * c_at.row +
                         (ulong)block.y * TILE_N + lane % 4 * 8;
#pragma unroll
    for (uint half_ = 0; half_ < 2; half_++) {
#pragma unroll
      for (uint e = 0; e < SUMS; e += 16) {
        uint run[4];
#pragma unroll
        for (uint r = 0; r < 4; r++)
          run[r] = two_halves(alpha * sum[e + 4 * r + 2 * half_], alpha * sum[e + 4 * r + 2 * half_ + 1]);
        exchange(run[0], run[1], 1, lane);
        exchange(run[2], run[3], 1, lane);
        exchange(run[0], run[2], 2, lane);
        exchange(run[1], run[3], 2, lane);
        *(global uint4*)(to + 8 * half_ * c_at.row + 2 * e) = (uint4)(run[0], run[1], run[2], run[3]);
      }
    }
  } else {
#pragma unroll
    for (uint run = 0; run < SUMS / RUN; run++)
      finish_run(false, shape, alpha, beta, c, c_at, block, item, run, sum + run * RUN);
  }
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_tensor_core_half(const Shape shape, const number alpha, const number beta, const Work work,
                               global const ushort* a, const Layout a_at,      // m x k
                               global const ushort* b, const Layout b_at,      // k x n
                               global element* restrict c, const Layout c_at,  // m x n
                               global uchar* maps, global number* parts, global uint* counters) {
  local uint told;
  local uint4 stages[STAGES * STAGE_BYTES / 16] __attribute__((aligned(1024)));
  local uint drafts[2][BYTES_OF_MAP / 4] __attribute__((aligned(128)));
  local ulong barriers[2 * STAGES];
  const uint item = get_local_id(0), lane = item % WARP;
  const uint memory = local_address(stages), arrived = local_address(barriers), used = arrived + 8 * STAGES;
  if (item == 0) {
    make_barriers(arrived, 2);
    make_barriers(used, SUMMERS / WARP);
    publish_barriers();
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint steps = shape.k == 0 ? 0 : work.steps;
  uint stage = 0, phase = 0, done = 0;

  if (item >= SUMMERS) {
    fewer_registers(40);
    const uint copier = (item - SUMMERS) / WARP;
    global uchar* map = maps + ((ulong)get_group_id(0) * 2 + copier) * BYTES_OF_MAP;
    if (copier == 0) {
      make_map(map, drafts[0], a + a_at.offset, shape.m, shape.k, a_at.row, a_at.column, A_ALONG_K, INNER, TILE_M, 2,
               MAP_OF_2_BYTES, SWIZZLE_128);
    } else if (copier == 1) {
      make_map(map, drafts[1], b + b_at.offset, shape.n, shape.k, b_at.column, b_at.row, B_ALONG_K, INNER, TILE_N, 2,
               MAP_OF_2_BYTES, SWIZZLE_128);
    }
    if (lane > 0 || copier > 1 || steps == 0) return;
    phase = 1;
    do {
      const Segment segment = segment_at(work, done);
      const uint2 block = block_at(segment.block, work.down, work.across);
#pragma unroll 1
      for (uint step = segment.first; step < segment.first + segment.count; step++) {
        const uint to = memory + stage * STAGE_BYTES, here = arrived + 8 * stage;
        wait_for_stage(used + 8 * stage, phase);
        if (copier == 0) {
          expect_bytes(here, A_BYTES);
          copy_tile(to, map, A_ALONG_K, INNER, TILE_M, block.x * TILE_M, step * TILE_K, 2, here);
        } else {
          expect_bytes(here, B_BYTES);
          copy_tile(to + A_BYTES, map, B_ALONG_K, INNER, TILE_N, block.y * TILE_N, step * TILE_K, 2, here);
        }
        advance(&stage, &phase);
      }
      done += segment.count;
    } while (done < steps_of_group(work));
    return;
  }

  more_registers(232);
  const uint group = item / WARP_GROUP;
  do {
    const Segment segment = segment_at(work, done);
    const uint count = min(segment.count, steps);
    float sum[SUMS];
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;
    uint before = 0;
    for (uint step = 0; step < count; step++) {
      wait_for_stage(arrived + 8 * stage, phase);
      const uint tile = memory + stage * STAGE_BYTES;
      const ulong a_rows = wgmma_descriptor_of_rows(tile + group * STEP_OF_64, STEP_OF_64);
      const ulong b_columns = wgmma_descriptor_of_rows(tile + A_BYTES, STEP_OF_64);
      wgmma_fence();
#pragma unroll
      for (uint p = 0; p < TILE_K / 16; p++)
        wgmma_wide(sum, a_rows + p * A_STEP, b_columns + p * B_STEP, A_ACROSS, B_ACROSS);
      wgmma_commit();
      wgmma_wait(1);
      if (lane == 0 && step > 0) arrive(used + 8 * before);
      before = stage;
      advance(&stage, &phase);
    }
    wgmma_wait_for_wide(sum);
    if (lane == 0 && count > 0) arrive(used + 8 * before);
    if (has_all_sums(work, segment, parts, counters, &told, sum, true, SUMS, SUMMERS, item))
      finish(shape, alpha, beta, c, c_at, block_at(segment.block, work.down, work.across), item, sum);
    done += segment.count;
  } while (done < steps_of_group(work));
}

// Finishes the blocks of several sharers: a work-group for each run of the work-items.
kernel __attribute__((reqd_work_group_size(SUMMERS, 1, 1)))
void multiply_tensor_core_half_join(const Shape shape, const number alpha, const number beta, const Work work,
                                    global const number* restrict parts, global element* restrict c,
                                    const Layout c_at) {
  const uint item = get_local_id(0), run = get_group_id(0), shared = get_group_id(1);
  const uint2 block = block_at(own_blocks(work) + shared, work.down, work.across);
  float sums[RUN];
  if (join_run(work, shared, parts, sums, run, SUMS, SUMMERS, item))
    finish_run(has_whole_runs(shape, c_at, block, TILE_M, TILE_N), shape, alpha, beta, c, c_at, block, item, run, sums);
}
