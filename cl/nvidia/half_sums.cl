// Sums: their places in C for the work-items of tensor_core_hopper.cl and mma_halves.cl, their scales, and the end of a
// block of C. A complex C is read as the matrix of its parts.
//   VARIANT  the name of the kernel that sums
//   TILE_M, TILE_N  256 x 128 elements of C for a work-group; each work-item that sums has SUMS of them

#include "common/block_order.cl"
#include "nvidia/split_halves.cl"
#include "nvidia/exchange.cl"
#include "nvidia/block_runs.cl"
#include "common/stream_k.cl"

#define TILE_M 256
#define TILE_N 128
#define WARP 32
#define SUMMERS 256
#define SUMS 128  // of a work-item: 2 x 64

// Row and column of C of the first sum of a run. A work-item has 32 runs for each of two bands of 16 rows, 64
// apart, in turn of two rows, 8 apart.
inlined ulong2 place_of_run(const uint2 block, const uint item, const uint run) {
  const uint lane = item % WARP, warp = item / WARP;
  return (ulong2)((ulong)block.x * TILE_M + warp / 4 * 128 + warp % 4 * 16 + lane / 4 + run / 32 * 64 + run % 2 * 8,
                  (ulong)block.y * TILE_N + lane % 4 * CONTIGUOUS + run % 32 / 2 * 8);
}

inlined void scale_run(global const uint* largest, const ulong a_rows, const ulong2 at, float sums[CONTIGUOUS]) {
  const int shift = -shift_of(largest[at.x]);
  sums[0] = scaled(sums[0], shift - shift_of(largest[a_rows + at.y]));
  sums[1] = scaled(sums[1], shift - shift_of(largest[a_rows + at.y + 1]));
}

// All sums of a work-item.
inlined void scale_runs(global const uint* largest, const ulong a_rows, const uint2 block, const uint item,
                        float sum[SUMS]) {
#pragma unroll
  for (uint run = 0; run < SUMS / CONTIGUOUS; run++)
    scale_run(largest, a_rows, place_of_run(block, item, run), sum + run * CONTIGUOUS);
}

// Stores a block if fours are whole and beta is 0. Two lanes exchange their runs of two groups of 8 columns, so that
// each stores 16 bytes, and four of them 64 adjacent bytes.
inlined void finish_whole(const Shape shape, const value alpha, global const uint* largest, const ulong a_rows,
                          global element* c, const Layout c_at, const uint2 block, const uint item,
                          const float sum[SUMS]) {
  const uint lane = item % WARP, warp = item / WARP;
  const ulong i = (ulong)block.x * TILE_M + warp / 4 * 128 + warp % 4 * 16 + lane / 4, j = (ulong)block.y * TILE_N;
  global const uint2* of_columns = (global const uint2*)(largest + a_rows + j) + lane % 4;
  const ulong to_j = j + lane % 2 * 8 + lane % 4 / 2 * 4;
  global uint* to = (global uint*)(c + c_at.offset + i * c_at.row + to_j);
  int of_row[4];
#pragma unroll
  for (uint r = 0; r < 4; r++) of_row[r] = -shift_of(largest[i + r / 2 * 64 + r % 2 * 8]);
#pragma unroll
  for (uint pair = 0; pair < TILE_N / 16; pair++) {
    const uint2 low = of_columns[pair * 8], high = of_columns[pair * 8 + 4];
    const int4 of_column = (int4)(shift_of(low.x), shift_of(low.y), shift_of(high.x), shift_of(high.y));
#pragma unroll
    for (uint r = 0; r < 4; r++) {
      const uint e = r / 2 * 64 + pair * 8 + r % 2 * 2;
      const float2 first = (float2)(scaled(sum[e], of_row[r] - of_column.x),
                                    scaled(sum[e + 1], of_row[r] - of_column.y)),
                   second = (float2)(scaled(sum[e + 4], of_row[r] - of_column.z),
                                     scaled(sum[e + 5], of_row[r] - of_column.w));
      uint4 run = as_uint4((float4)(SCALED(alpha, first), SCALED(alpha, second)));
      EXCHANGE(run.x, run.z, 1, lane);
      EXCHANGE(run.y, run.w, 1, lane);
      const uint down = r / 2 * 64 + r % 2 * 8;
      if (i + down < shape.m && to_j + pair * 16 < shape.n) *(global uint4*)(to + down * c_at.row + pair * 16) = run;
    }
  }
}

// Stores a block of C. The usual case is separate because it needs little code.
inlined void finish(const Shape shape, const value alpha, const value beta, global const uint* largest,
                    const ulong a_rows, global element* c, const Layout c_at, const uint2 block, const uint item,
                    float sum[SUMS]) {
  if (IS_ZERO(beta) && has_whole_groups(4, shape, c_at, block, TILE_N)) {
    finish_whole(shape, alpha, largest, a_rows, c, c_at, block, item, sum);
    return;
  }
  scale_runs(largest, a_rows, block, item, sum);
  if (has_whole_runs(shape, c_at, block, TILE_N))
    finish_runs(true, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
  else
    finish_runs(false, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
}

// Finishes the blocks of several sharers: a work-group for each run of the work-items.
kernel __attribute__((reqd_work_group_size(SUMMERS, 1, 1)))
void JOIN(JOIN(multiply_, VARIANT), _join)(const Shape shape, const value alpha, const value beta, const Work work,
                                            global const number* restrict parts, global const uint* restrict largest,
                                            global element* restrict c, const Layout c_at) {
  const uint item = get_local_id(0), run = get_group_id(0), shared = get_group_id(1);
  const uint2 block = block_at(own_blocks(work) + shared, work.down, work.across);
  const ulong2 at = place_of_run(block, item, run);
  float sums[CONTIGUOUS];
  if (!join_run(work, shared, parts, sums, run, SUMS, SUMMERS, item)) return;
  scale_run(largest, (ulong)work.down * TILE_M, at, sums);
  update_run(has_whole_runs(shape, c_at, block, TILE_N), shape, alpha, beta, c, c_at, at.x, at.y, sums);
}
