// Sums: their places in C for the work-items of wide_blocks.cl and warp_blocks.cl. A work-group has 128 x TILE_N
// elements of C, and each of the warps that sum has WARP_M x WARP_N of them: bands of 16 rows.
//   TILE_N  columns of a block
//   WARP_M  16 or more rows of a warp, which divide 128
//   PLANES  products of one shape whose operands are stacked, in whole blocks

#include "common/block_order.cl"
#include "nvidia/block_runs.cl"
#include "common/stream_k.cl"

#if !defined(PLANES) || !defined(WARP_M)
#error "PLANES or WARP_M is not defined"
#endif

#define TILE_M 128
#define SUMMERS 256
#define WARP 32
#define SUMS (TILE_N / 2)  // of a work-item
#define WARPS_DOWN (TILE_M / WARP_M)
#define WARP_N (TILE_N * WARPS_DOWN / (SUMMERS / WARP))
#define SUMS_OF_BAND (WARP_N / 2)

// Row and column of a block of C, and its plane. Work counts the rows of all planes.
static inline uint3 place_of_block(const Work work, const uint block) {
  const uint down = work.down / PLANES, plane = PLANES == 1 ? 0 : block / (down * work.across);
  return (uint3)(block_at(block - plane * down * work.across, down, work.across), plane);
}

// Row and column, in a block of C, of the 8 columns and two rows, 8 apart, that have a work-item's sums `e` to `e` + 3,
// without its place in the columns.
static inline uint2 place_of_sums(const uint item, const uint e) {
  const uint lane = item % WARP, warp = item / WARP;
  return (uint2)(warp % WARPS_DOWN * WARP_M + e / SUMS_OF_BAND * 16 + lane / 4,
                 warp / WARPS_DOWN * WARP_N + e % SUMS_OF_BAND * 2);
}

// Row and column of C where a work-item's run begins: in turn of two rows, 8 apart.
inlined ulong2 place_of_run(const uint2 block, const uint item, const uint run) {
  const uint2 at = place_of_sums(item, run / 2 * 2 * CONTIGUOUS);
  return (ulong2)((ulong)block.x * TILE_M + at.x + run % 2 * 8,
                  (ulong)block.y * TILE_N + at.y + item % 4 * CONTIGUOUS);
}

#if PLANES == 1
// Finishes the blocks of several sharers: a work-group for each run of the work-items.
kernel __attribute__((reqd_work_group_size(SUMMERS, 1, 1)))
void JOIN(JOIN(multiply_, VARIANT), _join)(const Shape shape, const number alpha, const number beta, const Work work,
                                            global const number* restrict parts, global output* restrict c,
                                            const Layout c_at) {
  const uint item = get_local_id(0), run = get_group_id(0), shared = get_group_id(1);
  const uint2 block = block_at(own_blocks(work) + shared, work.down, work.across);
  const ulong2 at = place_of_run(block, item, run);
  number sums[CONTIGUOUS];
  if (join_run(work, shared, parts, sums, run, SUMS, SUMMERS, item))
    update_run(has_whole_runs(shape, c_at, block, TILE_N), shape, alpha, beta, c, c_at, at.x, at.y, sums);
}
#endif
