// Results of 32 bits, integers or floats, from wide_blocks.cl's work-items to C, as wgmma leaves their sums in
// registers.

#include "nvidia/exchange.cl"
#include "nvidia/wide_sums.cl"

#if OUTPUT != 3 && OUTPUT != 5

// All results of a work-item. In the usual case two lanes exchange their runs of two groups of 8 columns, so that each
// stores 16 bytes, and four of them store 64 contiguous bytes.
inlined void finish(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                    const Work work, const uint of_block, const uint item, SUM sum[SUMS]) {
  const uint2 block = place_of_block(work, of_block).xy;
  if (has_whole_groups(4, shape, c_at, block, TILE_N)) {
    if (beta != 0) add_old(true, shape, alpha, beta, c, c_at, block, item, 0, SUMS / CONTIGUOUS, sum);
    const number factor = beta == 0 ? alpha : 1;
    const uint lane = item % WARP, warp = item / WARP;
    const ulong i = (ulong)block.x * TILE_M + warp * 16 + lane / 4,
                j = (ulong)block.y * TILE_N + lane % 2 * 8 + lane % 4 / 2 * 4;
    global output* to = c + c_at.offset + i * c_at.row + j;
#pragma unroll
    for (uint half_ = 0; half_ < 2; half_++) {
#pragma unroll
      for (uint e = 0; e < SUMS; e += 8) {
        const uint first = e + 2 * half_;
        uint4 run = (uint4)(as_uint(factor * sum[first]), as_uint(factor * sum[first + 1]),
                            as_uint(factor * sum[first + 4]), as_uint(factor * sum[first + 5]));
        EXCHANGE(run.x, run.z, 1, lane);
        EXCHANGE(run.y, run.w, 1, lane);
        if (i + 8 * half_ < shape.m && j + 2 * e < shape.n)
          STORE_ONCE(run, to + 8 * half_ * c_at.row + 2 * e);
      }
    }
  } else {
    finish_runs(false, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
  }
}

#endif
