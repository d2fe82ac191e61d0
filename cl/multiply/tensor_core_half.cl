// C = alpha * A * B + beta * C of halves or bfloat16s by wgmma on NVIDIA's Hopper, summed in float: bulk copies load
// tiles of the operands, as they are stored if tensor maps support that, to local memory. See nvidia/wide_blocks.cl.

#include "nvidia/aligned_copies.cl"
#include "nvidia/half_groups.cl"
#include "nvidia/wide_blocks.cl"
#include "nvidia/word_results.cl"

#if OUTPUT == 3 || OUTPUT == 5  // for float results, see nvidia/word_results.cl

// All results of a work-item. In the usual case each lane loads and stores groups of 8 columns.
inlined void finish(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                    const Work work, const uint of_block, const uint item, SUM sum[SUMS]) {
  const uint2 block = place_of_block(work, of_block).xy;
  if (!has_whole_groups(8, shape, c_at, block, TILE_N)) {
    finish_runs(false, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
    return;
  }
#define GROUPS (SUMS / 8)  // of a lane: of two rows
#define FIRST_OF_GROUP(g) (sum + (g) / 2 * 16 + (g) % 2 * 2)
#define IS_IN_C(g) (i + (g) % 2 * 8 < shape.m && j + (g) / 2 * 32 < shape.n)
#define PLACE_OF_GROUP(g) (to + (g) % 2 * 8 * c_at.row + (g) / 2 * 32)
  const number factor = beta == 0 ? alpha : 1;
  const uint lane = item % WARP, warp = item / WARP;
  const ulong i = (ulong)block.x * TILE_M + warp * 16 + lane / 4, j = (ulong)block.y * TILE_N + lane % 4 * 8;
  global output* to = c + c_at.offset + i * c_at.row + j;
  if (beta != 0) {
    uint4 old[GROUPS];
#pragma unroll
    for (uint g = 0; g < GROUPS; g++) old[g] = IS_IN_C(g) ? *(global const uint4*)PLACE_OF_GROUP(g) : 0;
#pragma unroll
    for (uint g = 0; g < GROUPS; g++) add_old_group(old[g], alpha, beta, FIRST_OF_GROUP(g), lane);
  }
#pragma unroll
  for (uint g = 0; g < GROUPS; g++) {
    const uint4 results = group_of_lane(factor, FIRST_OF_GROUP(g), lane);
    if (IS_IN_C(g)) *(global uint4*)PLACE_OF_GROUP(g) = results;
  }
}

#endif
