// C = alpha * A * B + beta * C of integers of a byte by wgmma on NVIDIA's Hopper, summed modulo 2^32: bulk copies bring
// tiles of the operands, which lie along k, to local memory. See common/wide_blocks.cl.

// In the usual case two lanes exchange their runs of two groups of 8 columns, so that each stores 16 bytes, and four of
// them 64 bytes beside each other.
inlined void finish(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                    const Work work, const uint of_block, const uint item, const SUM sum[SUMS]) {
  const uint2 block = place_of_block(work, of_block).xy;
  const bool in_fours = beta == 0 && (c_at.offset | c_at.row) % 4 == 0;
  if (in_fours && has_whole_runs(shape, c_at, block, TILE_M, TILE_N)) {
    const uint lane = item % WARP, warp = item / WARP;
    global output* to = c + c_at.offset + ((ulong)block.x * TILE_M + warp * 16 + lane / 4) * c_at.row +
                        (ulong)block.y * TILE_N + lane % 2 * 8 + lane % 4 / 2 * 4;
#pragma unroll
    for (uint half_ = 0; half_ < 2; half_++) {
#pragma unroll
      for (uint e = 2 * half_; e < SUMS; e += 8) {
        uint4 run = alpha * (uint4)(sum[e], sum[e + 1], sum[e + 4], sum[e + 5]);
        exchange(run.x, run.z, 1, lane);
        exchange(run.y, run.w, 1, lane);
        *(global uint4*)(to + 8 * half_ * c_at.row + 2 * (e - 2 * half_)) = run;
      }
    }
  } else {
#pragma unroll
    for (uint run = 0; run < SUMS / RUN; run++)
      finish_run(false, shape, alpha, beta, c, c_at, block, item, run, sum + run * RUN);
  }
}
