// Replaces cl/nvidia/wide_blocks.cl and warp_blocks.cl, for bytes along k, in a test on any device: a work-item
// multiplies its elements of a block one after the other, in the same steps.

#include "nvidia/slices.cl"
#include "nvidia/wide_sums.cl"

#if WARP_M == 16  // of wide_blocks.cl
#define ITEMS 384
#else
#define ITEMS SUMMERS
#endif

inlined void finish(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                    const Work work, const uint of_block, const uint item, SUM sum[SUMS]);

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void JOIN(multiply_, VARIANT)(const Shape shape, const number alpha, const number beta, const Work work,
                              global const uchar* a, const Layout a_at, global const uchar* b, const Layout b_at,
                              global output* restrict c, const Layout c_at, global uchar* maps, global SUM* parts,
                              global uint* counters) {
  local uint told;
  // Those that copy elsewhere do what others do too, so that all come to every barrier.
  const uint item = get_local_id(0) % SUMMERS;
  const uint steps = shape.k == 0 ? 0 : work.steps, down = work.down / PLANES, deep = work.steps / PAIRS_FROM(0);
  uint done = 0;
  do {
    const Segment segment = segment_at(work, done);
    const uint3 block = place_of_block(work, segment.block);
    const uint end = segment.first + min(segment.count, steps);
    SUM sum[SUMS];
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;
    for (uint step = segment.first; step < end;) {
      const uint weight = weight_of(step, deep), pause = end_in_weight(end, weight, deep);
      for (; step < pause; step++) {
        const SlicedStep from = sliced_step(step, deep);
        const ulong first = (ulong)from.depth * TILE_K, last = min(shape.k, first + TILE_K);
        const uint2 in_a = (uint2)((block.z * SLICES + from.a) * down + block.x, 0),
                    in_b = (uint2)(0, (block.z * SLICES + from.b) * work.across + block.y);
        for (uint e = 0; e < SUMS; e++) {
          const ulong i = place_of_run(in_a, item, e / CONTIGUOUS).x,
                      j = place_of_run(in_b, item, e / CONTIGUOUS).y + e % CONTIGUOUS;
          for (ulong p = first; p < last; p++) sum[e] += (char)a[i * a_at.row + p] * (char)b[j * b_at.column + p];
        }
      }
#if SLICES > 1
      for (uint e = 0; e < SUMS; e++) sum[e] <<= step == end ? 8 * weight : 8;
#endif
    }
    const bool has_all = has_all_sums(work, segment, parts, counters, &told, sum, SUMS, SUMMERS, item);
    barrier(CLK_LOCAL_MEM_FENCE);  // without one behind those in a condition, PoCL 3.1 compiles wrong sums
    if (has_all && get_local_id(0) < SUMMERS) finish(shape, alpha, beta, c, c_at, work, segment.block, item, sum);
    done += segment.count;
  } while (done < steps_of_group(work));
}
