// Products on NVIDIA's Hopper whose operands tensor maps copy to local memory without a change of layout, in rows of
// 128 bytes. A work-group computes 128 x TILE_N elements of C: two warp-groups compute 64 x TILE_N each by wgmma, and a
// third one copies. The variant defines finish().
//   VARIANT  its name
//   TILE_N   64, 128, 192 or 256
//   TILE_K   numbers of 128 bytes
//   PLANES   see wide_sums.cl
//   SLICES   see slices.cl; A's slices are stacked, in whole blocks, and so are B's
//   A_ALONG_K, B_ALONG_K  1: adjacent numbers are neighbours along k; else rows of A, or columns of B
//   STAGES, SWIZZLE, CONTIGUOUS  see bulk_copies.cl, block_order.cl and runs.cl

#include "nvidia/tensor_maps.cl"
#include "nvidia/wgmma.cl"
#include "nvidia/slices.cl"
#include "nvidia/wide_sums.cl"

#define ITEMS (3 * WARP_GROUP)
#define BYTES (128 / TILE_K)  // of a number
#define INNER TILE_K          // numbers of a row of a tile
#define A_BYTES (TILE_M * 128)
#define B_BYTES (TILE_N * 128)
#define STAGE_BYTES (A_BYTES + B_BYTES)
#define STEP_OF_64 (64 * 128)  // from 64 rows of A, or columns of B, to the next
#define PART (32 / BYTES)      // of k, for an instruction

// Steps of descriptors from one part of k to the next.
#define A_STEP (PART * (A_ALONG_K ? BYTES : 128) / 16)
#define B_STEP (PART * (B_ALONG_K ? BYTES : 128) / 16)

#if TILE_K == 128
#if !A_ALONG_K || !B_ALONG_K
#error "bytes lie along k"
#endif
#define MAP_TYPE MAP_OF_1_BYTE
#define MULTIPLY_PART(sum, a, b) WGMMA_WIDE_BYTES(sum, a, b)
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
#define MULTIPLY_PART(sum, a, b) WGMMA_WIDE(sum, a, b, A_ACROSS, B_ACROSS)
#endif

// Stores a block of C; c holds `output`s, or the results that the variant's finish() stores.
inlined void finish(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                    const Work work, const uint of_block, const uint item, SUM sum[SUMS]);

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
  const uint memory = LOCAL_ADDRESS(stages), arrived = LOCAL_ADDRESS(barriers), used = arrived + 8 * STAGES;
  if (item == 0) {
    make_barriers(arrived, 2);
    make_barriers(used, SUMMERS / WARP);
    publish_barriers();
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint steps = shape.k == 0 ? 0 : work.steps, down = work.down / PLANES, deep = work.steps / PAIRS_FROM(0);
  uint stage = 0, phase = 0, done = 0;

  if (item >= SUMMERS) {
#if TILE_N == 256
    FEWER_REGISTERS(40);
#endif
    const uint copier = (item - SUMMERS) / WARP;
    global uchar* map = maps + ((ulong)get_group_id(0) * 2 + copier) * BYTES_OF_MAP;
    if (copier == 0) {
      const ulong rows = SLICES == 1 ? shape.m : SLICES * down * TILE_M;
      MAKE_MAP(map, drafts[0], a + a_at.offset * BYTES, rows, shape.k, a_at.row, a_at.column, A_ALONG_K, INNER, TILE_M,
               TILE_K, BYTES, MAP_TYPE, SWIZZLE_128);
    } else if (copier == 1) {
      const ulong columns = SLICES == 1 ? shape.n : SLICES * work.across * TILE_N;
      MAKE_MAP(map, drafts[1], b + b_at.offset * BYTES, columns, shape.k, b_at.column, b_at.row, B_ALONG_K, INNER,
               TILE_N, TILE_K, BYTES, MAP_TYPE, SWIZZLE_128);
    }
    if (lane > 0 || copier > 1 || steps == 0) return;
    phase = 1;
    do {
      const Segment segment = segment_at(work, done);
      const uint3 block = place_of_block(work, segment.block);
#pragma unroll 1
      for (uint step = segment.first; step < segment.first + segment.count; step++) {
        const uint to = memory + stage * STAGE_BYTES, here = arrived + 8 * stage;
        const SlicedStep from = sliced_step(step, deep);
        WAIT_FOR_STAGE(used + 8 * stage, phase);
        if (copier == 0) {
          const uint i = ((block.z * SLICES + from.a) * down + block.x) * TILE_M;
          expect_bytes(here, A_BYTES);
          copy_tile(to, map, A_ALONG_K, INNER, TILE_M, TILE_K, i, from.depth * TILE_K, BYTES, here);
        } else {
          const uint j = ((block.z * SLICES + from.b) * work.across + block.y) * TILE_N;
          expect_bytes(here, B_BYTES);
          copy_tile(to + A_BYTES, map, B_ALONG_K, INNER, TILE_N, TILE_K, j, from.depth * TILE_K, BYTES, here);
        }
        advance(&stage, &phase);
      }
      done += segment.count;
    } while (done < steps_of_group(work));
    return;
  }

#if TILE_N == 256
  MORE_REGISTERS(232);
#endif
  const uint group = item / WARP_GROUP;
  do {
    const Segment segment = segment_at(work, done);
    const uint end = segment.first + min(segment.count, steps);
    SUM sum[SUMS];
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;
    for (uint step = segment.first; step < end;) {
      const uint weight = weight_of(step, deep), first = step, pause = end_in_weight(end, weight, deep);
      uint before = 0;
      for (; step < pause; step++) {
        WAIT_FOR_STAGE(arrived + 8 * stage, phase);
        const uint tile = memory + stage * STAGE_BYTES;
        const ulong a_rows = wgmma_descriptor_of_rows(tile + group * STEP_OF_64, STEP_OF_64);
        const ulong b_columns = wgmma_descriptor_of_rows(tile + A_BYTES, STEP_OF_64);
        WGMMA_FENCE();
#pragma unroll
        for (uint p = 0; p < TILE_K / PART; p++) MULTIPLY_PART(sum, a_rows + p * A_STEP, b_columns + p * B_STEP);
        WGMMA_COMMIT();
        WGMMA_WAIT(1);
        if (lane == 0 && step > first) arrive(used + 8 * before);
        before = stage;
        advance(&stage, &phase);
      }
      WGMMA_WAIT_FOR_WIDE(sum);
      if (lane == 0) arrive(used + 8 * before);
#if SLICES > 1
      // Multiplies the sums up to the weight of the next step, or after the last step of this work-group to the weight
      // of the whole sum.
#pragma unroll
      for (uint e = 0; e < SUMS; e++) sum[e] <<= step == end ? 8 * weight : 8;
#endif
    }
    if (has_all_sums(work, segment, parts, counters, &told, sum, SUMS, SUMMERS, item))
      finish(shape, alpha, beta, c, c_at, work, segment.block, item, sum);
    done += segment.count;
  } while (done < steps_of_group(work));
}
