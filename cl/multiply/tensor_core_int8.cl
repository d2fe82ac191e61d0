// C = alpha * A * B + beta * C of integers of a byte by wgmma on NVIDIA's Hopper, summed modulo 2^32: bulk copies bring
// tiles of the operands, which lie along k, to local memory. See common/wide_blocks.cl.

inlined void finish(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                    const uint2 block, const uint item, const number sum[SUMS]) {
  if (beta == 0 && has_whole_runs(shape, c_at, block, TILE_M, TILE_N)) {
#pragma unroll
    for (uint run = 0; run < SUMS / RUN; run++)
      finish_run(true, shape, alpha, 0, c, c_at, block, item, run, sum + run * RUN);
  } else {
#pragma unroll
    for (uint run = 0; run < SUMS / RUN; run++)
      finish_run(false, shape, alpha, beta, c, c_at, block, item, run, sum + run * RUN);
  }
}
