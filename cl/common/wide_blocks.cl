// Products of NVIDIA's Hopper whose operands tensor maps bring to local memory as they lie, rows of 128 bytes:
// 128 x TILE_N elements of C for a work-group, of which two warp-groups do 64 x TILE_N each by wgmma, and one copies.
// The variant defines finish().
//   VARIANT  its name
//   TILE_N   64, 128, 192 or 256
//   TILE_K   numbers of 128 bytes
//   PLANES   products of one shape whose operands, in whole blocks, lie below each other
//   A_ALONG_K, B_ALONG_K  1: neighbours along k lie beside each other; else rows of A, or columns of B
//   STAGES, SWIZZLE, CONTIGUOUS  see bulk_copies.cl, block_order.cl and runs.cl

#ifndef PLANES
#error "PLANES is not defined"
#endif

#define TILE_M 128
#define ITEMS (3 * WARP_GROUP)
#define SUMMERS (2 * WARP_GROUP)
#define WARP 32
#define SUMS (TILE_N / 2)     // of a work-item
#define BYTES (128 / TILE_K)  // of a number
#define INNER TILE_K          // numbers of a row of a tile
#define A_BYTES (TILE_M * 128)
#define B_BYTES (TILE_N * 128)
#define STAGE_BYTES (A_BYTES + B_BYTES)
#define STEP_OF_64 (64 * 128)  // from 64 rows of A, or columns of B, to the next
#define SLICE (32 / BYTES)     // of k, for an instruction

// From a slice of k to the next, as descriptors count.
#define A_STEP (SLICE * (A_ALONG_K ? BYTES : 128) / 16)
#define B_STEP (SLICE * (B_ALONG_K ? BYTES : 128) / 16)

#if TILE_K == 128
#if !A_ALONG_K || !B_ALONG_K
#error "bytes lie along k"
#endif
#define MAP_TYPE MAP_OF_1_BYTE
#define multiply_slice(sum, a, b) wgmma_wide_bytes(sum, a, b)
#else
#define MAP_TYPE MAP_OF_2_BYTES
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
#define multiply_slice(sum, a, b) wgmma_wide(sum, a, b, A_ACROSS, B_ACROSS)
#endif

// Row and column of a block of C, and its plane. Work counts the rows of all planes.
static inline uint3 place_of_block(const Work work, const uint block) {
  const uint down = work.down / PLANES, plane = PLANES == 1 ? 0 : block / (down * work.across);
  return (uint3)(block_at(block - plane * down * work.across, down, work.across), plane);
}

#if PLANES == 1
// A run of a work-item's sums to C: of 64 rows of its warp-group, in turn of two rows, 8 apart.
inlined void finish_run(const bool whole, const Shape shape, const number alpha, const number beta, global output* c,
                        const Layout c_at, const uint2 block, const uint item, const uint run,
                        const number sums[CONTIGUOUS]) {
  const uint lane = item % WARP, warp = item / WARP;
  const ulong i = (ulong)block.x * TILE_M + warp * 16 + lane / 4 + run % 2 * 8,
              j = (ulong)block.y * TILE_N + lane % 4 * CONTIGUOUS + run / 2 * 8;
  update_run(whole, shape, alpha, beta, c, c_at, i, j, sums);
}
#endif

// All of them; c holds `output`s, or what the variant's finish() stores.
inlined void finish(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                    const Work work, const uint of_block, const uint item, const SUM sum[SUMS]);

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void JOIN(multiply_, VARIANT)(const Shape shape, const number alpha, const number beta, const Work work,
                              global const uchar* a, const Layout a_at,      // m x k
                              global const uchar* b, const Layout b_at,      // k x n
                              global output* restrict c, const Layout c_at,  // m x n
                              global uchar* maps, global SUM* parts, global uint* counters) {
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
#if TILE_N == 256
    fewer_registers(40);
#endif
    const uint copier = (item - SUMMERS) / WARP;
    global uchar* map = maps + ((ulong)get_group_id(0) * 2 + copier) * BYTES_OF_MAP;
    if (copier == 0) {
      make_map(map, drafts[0], a + a_at.offset * BYTES, shape.m, shape.k, a_at.row, a_at.column, A_ALONG_K, INNER,
               TILE_M, BYTES, MAP_TYPE, SWIZZLE_128);
    } else if (copier == 1) {
      make_map(map, drafts[1], b + b_at.offset * BYTES, shape.n, shape.k, b_at.column, b_at.row, B_ALONG_K, INNER,
               TILE_N, BYTES, MAP_TYPE, SWIZZLE_128);
    }
    if (lane > 0 || copier > 1 || steps == 0) return;
    phase = 1;
    do {
      const Segment segment = segment_at(work, done);
      const uint3 block = place_of_block(work, segment.block);
      const uint i = (block.z * (work.down / PLANES) + block.x) * TILE_M,
                 j = (block.z * work.across + block.y) * TILE_N;
#pragma unroll 1
      for (uint step = segment.first; step < segment.first + segment.count; step++) {
        const uint to = memory + stage * STAGE_BYTES, here = arrived + 8 * stage;
        wait_for_stage(used + 8 * stage, phase);
        if (copier == 0) {
          expect_bytes(here, A_BYTES);
          copy_tile(to, map, A_ALONG_K, INNER, TILE_M, i, step * TILE_K, BYTES, here);
        } else {
          expect_bytes(here, B_BYTES);
          copy_tile(to + A_BYTES, map, B_ALONG_K, INNER, TILE_N, j, step * TILE_K, BYTES, here);
        }
        advance(&stage, &phase);
      }
      done += segment.count;
    } while (done < steps_of_group(work));
    return;
  }

#if TILE_N == 256
  more_registers(232);
#endif
  const uint group = item / WARP_GROUP;
  do {
    const Segment segment = segment_at(work, done);
    const uint count = min(segment.count, steps);
    SUM sum[SUMS];
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
      for (uint p = 0; p < TILE_K / SLICE; p++) multiply_slice(sum, a_rows + p * A_STEP, b_columns + p * B_STEP);
      wgmma_commit();
      wgmma_wait(1);
      if (lane == 0 && step > 0) arrive(used + 8 * before);
      before = stage;
      advance(&stage, &phase);
    }
    wgmma_wait_for_wide(sum);
    if (lane == 0 && count > 0) arrive(used + 8 * before);
    if (has_all_sums(work, segment, parts, counters, &told, sum, SUMS, SUMMERS, item))
      finish(shape, alpha, beta, c, c_at, work, segment.block, item, sum);
    done += segment.count;
  } while (done < steps_of_group(work));
}

#if PLANES == 1
// Finishes the blocks of several sharers: a work-group for each run of the work-items.
kernel __attribute__((reqd_work_group_size(SUMMERS, 1, 1)))
void JOIN(JOIN(multiply_, VARIANT), _join)(const Shape shape, const number alpha, const number beta, const Work work,
                                            global const number* restrict parts, global output* restrict c,
                                            const Layout c_at) {
  const uint item = get_local_id(0), run = get_group_id(0), shared = get_group_id(1);
  const uint2 block = block_at(own_blocks(work) + shared, work.down, work.across);
  number sums[CONTIGUOUS];
  if (join_run(work, shared, parts, sums, run, SUMS, SUMMERS, item))
    finish_run(has_whole_runs(shape, c_at, block, TILE_N), shape, alpha, beta, c, c_at, block, item, run, sums);
}
#endif
