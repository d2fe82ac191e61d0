// C = alpha * A * B + beta * C of halves or bfloat16s by wgmma on NVIDIA's Hopper, summed in float: bulk copies load tiles
// of the operands, as they are stored if tensor maps support that, to local memory. See nvidia/wide_blocks.cl.

#include "nvidia/aligned_copies.cl"
#include "nvidia/halves.cl"
#include "nvidia/wide_blocks.cl"
#include "nvidia/word_results.cl"

#if OUTPUT == 3 || OUTPUT == 5  // for float results, see nvidia/word_results.cl

// All results of a work-item. In the usual case four lanes exchange their runs of four groups of 8 columns, so that each
// stores one group, 16 bytes.
inlined void finish(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                    const Work work, const uint of_block, const uint item, SUM sum[SUMS]) {
  const uint2 block = place_of_block(work, of_block).xy;
  if (has_whole_groups(8, shape, c_at, block, TILE_N)) {
    if (beta != 0) add_old(true, shape, alpha, beta, c, c_at, block, item, 0, SUMS / CONTIGUOUS, sum);
    const number factor = beta == 0 ? alpha : 1;
    const uint lane = item % WARP, warp = item / WARP;
    const ulong i = (ulong)block.x * TILE_M + warp * 16 + lane / 4, j = (ulong)block.y * TILE_N + lane % 4 * 8;
    global output* to = c + c_at.offset + i * c_at.row + j;
#pragma unroll
    for (uint half_ = 0; half_ < 2; half_++) {
#pragma unroll
      for (uint e = 0; e < SUMS; e += 16) {
        uint run[4];
#pragma unroll
        for (uint r = 0; r < 4; r++)
          run[r] = two_shorts(factor * sum[e + 4 * r + 2 * half_], factor * sum[e + 4 * r + 2 * half_ + 1]);
        EXCHANGE(run[0], run[1], 1, lane);
        EXCHANGE(run[2], run[3], 1, lane);
        EXCHANGE(run[0], run[2], 2, lane);
        EXCHANGE(run[1], run[3], 2, lane);
        if (i + 8 * half_ < shape.m && j + 2 * e < shape.n)
          *(global uint4*)(to + 8 * half_ * c_at.row + 2 * e) = (uint4)(run[0], run[1], run[2], run[3]);
      }
    }
  } else {
    finish_runs(false, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
  }
}

#endif
