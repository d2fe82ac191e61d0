// All runs of a work-item in a block of C.
//   OLD_AT_ONCE  old numbers of C that a work-item loads at once, whole runs; all if it is not defined

#include "nvidia/runs.cl"

#ifndef OLD_AT_ONCE
#define OLD_AT_ONCE 128
#endif

// Row and column of C where run `run` of a work-item begins. The kernel defines it.
inlined ulong2 place_of_run(const uint2 block, const uint item, const uint run);

// Makes the sums of a work-item's runs from `first` up to `end` the new numbers of C: see add_old_run().
inlined void add_old(const bool whole, const Shape shape, const value alpha, const value beta, global const output* c,
                     const Layout c_at, const uint2 block, const uint item, const uint first, const uint end,
                     number sum[]) {
#pragma unroll
  for (uint run = first; run < end; run++) {
    const ulong2 at = place_of_run(block, item, run);
    add_old_run(whole, shape, alpha, beta, c, c_at, at.x, at.y, sum + run * CONTIGUOUS);
  }
}

// Stores a work-item's runs.
inlined void finish_runs(const bool whole, const Shape shape, const value alpha, const value beta, global output* c,
                         const Layout c_at, const uint2 block, const uint item, const uint runs, number sum[]) {
#pragma unroll
  for (uint first = 0; first < runs; first += OLD_AT_ONCE / CONTIGUOUS) {
    const uint end = min(first + OLD_AT_ONCE / CONTIGUOUS, runs);
    if (IS_NOT_ZERO(beta)) add_old(whole, shape, alpha, beta, c, c_at, block, item, first, end, sum);
#pragma unroll
    for (uint run = first; run < end; run++) {
      const ulong2 at = place_of_run(block, item, run);
      update_run(whole, shape, IS_ZERO(beta) ? alpha : ONE, 0, c, c_at, at.x, at.y, sum + run * CONTIGUOUS);
    }
  }
}
