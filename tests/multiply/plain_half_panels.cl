// Replaces tensor_core_hopper.cl or mma_halves.cl of cl/multiply in a test on any device: a work-item multiplies the
// panels' rows for its elements of a block one after the other, in the same steps. Blocks are stored by runs.

#include "nvidia/half_sums.cl"

#if TILE_K == 32  // mma_halves.cl's
#define ITEMS SUMMERS
#else
#define ITEMS 384
#endif

// The larger half of number p of a row of the panels, and the smaller one.
static inline float2 halves_at(global const uchar* panels, const ulong rows, const ulong row, const ulong p) {
  global const half* first = (global const half*)panels + unit_of(rows, row, p / 8) * 8 + p % 8;
  return (float2)(vload_half(0, first), vload_half(128, first));
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void JOIN(multiply_, VARIANT)(const Shape shape, const value alpha, const value beta, const Work work,
                              global const uchar* restrict a_panels, global const uchar* restrict b_panels,
                              global const uint* restrict largest, global element* restrict c, const Layout c_at,
                              global number* parts, global uint* counters) {
  local uint told;
  // Those that copy elsewhere do what others do too, so that all come to every barrier.
  const uint item = get_local_id(0) % SUMMERS;
  const ulong a_rows = (ulong)work.down * TILE_M, b_columns = (ulong)work.across * TILE_N;
  const uint steps = shape.k == 0 ? 0 : work.steps;
  uint done = 0;
  do {
    const Segment segment = segment_at(work, done);
    const uint2 block = block_at(segment.block, work.down, work.across);
    const ulong first = (ulong)segment.first * TILE_K, last = first + min(segment.count, steps) * TILE_K;
    float sum[SUMS];
    for (uint e = 0; e < SUMS; e++) {
      const ulong2 at = place_of_run(block, item, e / CONTIGUOUS);
      sum[e] = 0;
      if (at.x >= shape.m || at.y >= shape.n) continue;
      for (ulong p = first; p < last; p++) {
        const float2 a = halves_at(a_panels, a_rows, at.x, p),
                     b = halves_at(b_panels, b_columns, at.y + e % CONTIGUOUS, p);
        sum[e] += a.x * b.x + (a.x * b.y + a.y * b.x);
      }
    }
    const bool has_all = has_all_sums(work, segment, parts, counters, &told, sum, SUMS, SUMMERS, item);
    barrier(CLK_LOCAL_MEM_FENCE);  // without one behind those in a condition, PoCL 3.1 compiles wrong sums
    if (has_all && get_local_id(0) < SUMMERS) {
      scale_runs(largest, a_rows, block, item, sum);
      if (has_whole_runs(shape, c_at, block, TILE_N))
        finish_runs(true, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
      else
        finish_runs(false, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
    }
    done += segment.count;
  } while (done < steps_of_group(work));
}
