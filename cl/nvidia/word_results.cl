// Results of 32 bits, integers or floats, from the work-items of wide_blocks.cl or warp_blocks.cl to C.

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
    const uint lane = item % WARP;
    const uint2 first_place = place_of_sums(item, 0);
    const ulong i = (ulong)block.x * TILE_M + first_place.x,
                j = (ulong)block.y * TILE_N + first_place.y + lane % 2 * 8 + lane % 4 / 2 * 4;
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
        const uint down = e / SUMS_OF_BAND * 16 + 8 * half_, right = e % SUMS_OF_BAND * 2;
        if (i + down < shape.m && j + right < shape.n) STORE_ONCE(run, to + down * c_at.row + right);
      }
    }
  } else {
    finish_runs(false, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
  }
}

#endif
