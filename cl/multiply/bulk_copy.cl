// C = alpha * A * B + beta * C for NVIDIA, from Hopper on: bulk copies bring tiles of A and B to local memory, from
// operands whose layout tensor maps support. A work-group computes block after block of TILE_M x TILE_N elements of C, a
// warp WARP_M x WARP_N of them, a work-item WORK_M x WORK_N in registers.
//   TILE_M, TILE_N  multiples of WARP_M and WARP_N; WORK_M, WORK_N are multiples of 4
//   TILE_K          depth of a stage
//   A_ALONG_K, B_ALONG_K  1: adjacent numbers of the operand are neighbours along k; else across it. A tile along k,
//                   at most 16 deep, is transposed in local memory while the tile before it is multiplied
//   STAGES, SWIZZLE  see nvidia/bulk_copies.cl and common/block_order.cl
// Complex matrices, neither transposed, are multiplied as real ones, m x 2k by 2k x 2n: a row of values of B is also
// multiplied by i, for the imaginary parts of A. Sums, `shape` and the layouts count numbers.

#include "common/block_order.cl"
#include "nvidia/turned_tiles.cl"
#include "nvidia/aligned_copies.cl"
#include "nvidia/tensor_maps.cl"
#include "nvidia/halves.cl"
#include "nvidia/block_runs.cl"
#include "common/stream_k.cl"

#if ELEMENT == 1
#error "doubles are for tensor_core_double"
#endif
#if TILE_K > 16 && (A_ALONG_K || B_ALONG_K)
#error "TILE_K is more than 16, and an operand lies along k"
#endif
#if PARTS == 2 && (!A_ALONG_K || B_ALONG_K)
#error "a complex operand is transposed"
#endif

#define WARP 32
#define WARP_M (8 * WORK_M)
#define WARP_N (4 * WORK_N)
#define SUMS (WORK_M * WORK_N)
#define ITEMS (TILE_M / WARP_M * (TILE_N / WARP_N) * WARP)
#define UNROLL (TILE_K < 16 ? TILE_K : 16)  // more would not stay in the cache of instructions
#define B_DEPTH (TILE_K / PARTS)
#define A_NUMBERS (TILE_M * TILE_K)
#define B_NUMBERS (TILE_N * B_DEPTH)
#define STAGE_NUMBERS (A_NUMBERS + B_NUMBERS)
#define STAGE_BYTES (STAGE_NUMBERS * sizeof(number))
#define REWRITES_B (B_ALONG_K || PARTS == 2)
#define REWRITTEN_NUMBERS (A_ALONG_K * A_NUMBERS + REWRITES_B * B_NUMBERS)
// The step of a tile in which work-items wait for the next one. With a wait at a tile's end NVIDIA's compiler reads
// local memory too late: 5 % slower.
#define WAIT_STEP (UNROLL / 8)
#define COPIER_OF_B (ITEMS > WARP ? WARP : 0)
#define B_BECOMES (PARTS == 2 ? TIMES_I : TRANSPOSED)

// A warp is 8 work-items down C and 4 across it.
#define DOWN_OF(lane) ((lane) / 4)
#define ACROSS_OF(lane) ((lane) % 4)
static inline uint top_of_warp(const uint warp) { return warp / (TILE_N / WARP_N) * WARP_M; }
static inline uint left_of_warp(const uint warp) { return warp % (TILE_N / WARP_N) * WARP_N; }

// SWIZZLED: the layout of tiles along k in a stage.
#if TILE_K == 8
#define SWIZZLED SWIZZLE_32
#else
#define SWIZZLED SWIZZLE_64
#endif
#if A_ALONG_K
#define A_SWIZZLE SWIZZLED
#else
#define A_SWIZZLE NO_SWIZZLE
#endif
#if B_ALONG_K
#define B_SWIZZLE SWIZZLED
#else
#define B_SWIZZLE NO_SWIZZLE
#endif
#define INNER_OF(width, along_k) ((along_k) ? TILE_K : (width))

// Number e of a work-item's sums is row e / WORK_N of its rows and column e % WORK_N of its columns: groups of 4 beside
// each other. Run `run` of its sums is at ROW_OF_RUN, COLUMN_OF_RUN of the warp's.
#define ROW_OF_RUN(lane, run) \
  (DOWN_OF(lane) * 4 + (run) * CONTIGUOUS / WORK_N / 4 * 32 + (run) * CONTIGUOUS / WORK_N % 4)
#define COLUMN_OF_RUN(lane, run) (ACROSS_OF(lane) * 4 + (run) * CONTIGUOUS % WORK_N / 4 * 16 + (run) * CONTIGUOUS % 4)

// A work-item's numbers of A, and of B, for step s of a tile from its warp's first row or column.
inlined void load_a(number part[WORK_M], local const number* tile, const uint lane, const uint s) {
#pragma unroll
  for (uint q = 0; q < WORK_M / 4; q++) load_quad(part + 4 * q, tile + s * TILE_M + DOWN_OF(lane) * 4 + 32 * q);
}

inlined void load_b(number part[WORK_N], local const number* tile, const uint lane, const uint s) {
#pragma unroll
  for (uint q = 0; q < WORK_N / 4; q++) load_quad(part + 4 * q, tile + s * TILE_N + ACROSS_OF(lane) * 4 + 16 * q);
}

// Neighbours in this order share a number of A or of B, which is then read once from the registers: 3 % faster on an
// H200 than row after row.
inlined void multiply_parts(number sum[SUMS], const number a_part[WORK_M], const number b_part[WORK_N]) {
#pragma unroll
  for (uint e = 0; e < SUMS; e++) {
    const uint q = e / WORK_M, r = q % 2 == 0 ? e % WORK_M : WORK_M - 1 - e % WORK_M;
    sum[r * WORK_N + q] = MULTIPLY_ADD(a_part[r], b_part[q], sum[r * WORK_N + q]);
  }
}

// Row and column of C of the first sum of a work-item's run.
inlined ulong2 place_of_run(const uint2 block, const uint item, const uint run) {
  const uint lane = item % WARP, warp = item / WARP;
  return (ulong2)((ulong)block.x * TILE_M + top_of_warp(warp) + ROW_OF_RUN(lane, run),
                  (ulong)block.y * TILE_N + left_of_warp(warp) + COLUMN_OF_RUN(lane, run));
}

#define EXCHANGED (4 * ITEMS)
#ifndef COMPLEX
// Stores a block whose rows of C are not aligned or not whole. Each work-item writes 4 sums of a row at a time to local
// memory, from where neighbours in a warp store neighbours in C.
inlined void finish_by_columns(const Shape shape, const number alpha, const number beta, global output* c,
                               const Layout c_at, const uint2 block, const uint item, const number sum[SUMS],
                               local number* exchange) {
  const uint lane = item % WARP, warp = item / WARP;
  const ulong i = (ulong)block.x * TILE_M + top_of_warp(warp), j = (ulong)block.y * TILE_N + left_of_warp(warp);
  exchange += warp * (4 * WARP);  // 8 rows of 16
#pragma unroll
  for (uint four = 0; four < SUMS / 4; four++) {
    const uint r = four * 4 / WORK_N, column = four * 4 % WORK_N / 4 * 16;
#pragma unroll
    for (uint e = 0; e < 4; e++) exchange[DOWN_OF(lane) * 16 + ACROSS_OF(lane) * 4 + e] = sum[4 * four + e];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint e = lane; e < 4 * WARP; e += WARP) {
      const uint row = e / 16;
      const ulong ci = i + row * 4 + r / 4 * 32 + r % 4, cj = j + column + e % 16;
      if (ci < shape.m && cj < shape.n) update(c, c_at, ci, cj, alpha, exchange[e], beta);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
#endif

// Stores all runs of a work-item. Whole runs are a case of their own because they take little code. Runs of complex
// values are always whole.
inlined void finish(const Shape shape, const value alpha, const value beta, global output* c, const Layout c_at,
                    const uint2 block, const uint item, number sum[SUMS], local number* exchange) {
#ifndef COMPLEX
  if (!has_whole_runs(shape, c_at, block, TILE_N)) {
    finish_by_columns(shape, alpha, beta, c, c_at, block, item, sum, exchange);
    return;
  }
#endif
  finish_runs(true, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_bulk_copy(const Shape shape, const value alpha, const value beta, const Work work,
                        global const number* a, const Layout a_at,      // m x k
                        global const number* b, const Layout b_at,      // k x n
                        global output* restrict c, const Layout c_at,  // m x n
                        global uchar* maps, global number* parts, global uint* counters) {
  local uint told;
  local number stages[STAGES * STAGE_NUMBERS] __attribute__((aligned(1024)));
  local uint drafts[2][BYTES_OF_MAP / 4] __attribute__((aligned(128)));
  local ulong arrivals[STAGES];
  local number exchange[EXCHANGED];
  local number rewritten[REWRITTEN_NUMBERS > 0 ? 2 * REWRITTEN_NUMBERS : 4] __attribute__((aligned(128)));
  const uint item = get_local_id(0), lane = item % WARP, warp = item / WARP;
  const uint memory = LOCAL_ADDRESS(stages), arrived = LOCAL_ADDRESS(arrivals);
  global uchar* a_map = maps + (ulong)get_group_id(0) * (2 * BYTES_OF_MAP);
  global uchar* b_map = a_map + BYTES_OF_MAP;
  if (warp == 0) {
    MAKE_MAP(a_map, drafts[0], a + a_at.offset, shape.m, shape.k, a_at.row, a_at.column, A_ALONG_K,
             INNER_OF(TILE_M, A_ALONG_K), TILE_M, TILE_K, sizeof(number), MAP_OF_4_BYTES, A_SWIZZLE);
  }
  if (warp == COPIER_OF_B / WARP) {
    MAKE_MAP(b_map, drafts[1], b + b_at.offset, shape.n, shape.k / PARTS, b_at.column, b_at.row, B_ALONG_K,
             INNER_OF(TILE_N, B_ALONG_K), TILE_N, B_DEPTH, sizeof(number), MAP_OF_4_BYTES, B_SWIZZLE);
  }
  if (item == 0) {
    make_barriers(arrived, 2);
    publish_barriers();
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint stage = 0, phase = 0, done = 0;
  do {
    const Segment segment = segment_at(work, done);
    const uint2 block = block_at(segment.block, work.down, work.across);
    const uint steps = shape.k == 0 ? 0 : segment.count;

// Work-item 0 copies A, another one B.
#define FETCH(step, stage_to_fill)                                                                               \
  do {                                                                                                           \
    const uint place = (stage_to_fill) % STAGES, to = memory + place * STAGE_BYTES, here = arrived + 8 * place;  \
    const uint p = (segment.first + (step)) * TILE_K;                                                            \
    if (item == 0) {                                                                                             \
      expect_bytes(here, A_NUMBERS * sizeof(number));                                                            \
      copy_tile(to, a_map, A_ALONG_K, INNER_OF(TILE_M, A_ALONG_K), TILE_M, TILE_K, block.x * TILE_M, p,          \
                sizeof(number), here);                                                                           \
    }                                                                                                            \
    if (item == COPIER_OF_B) {                                                                                   \
      expect_bytes(here, STAGE_BYTES - A_NUMBERS * sizeof(number));                                              \
      copy_tile(to + A_NUMBERS * sizeof(number), b_map, B_ALONG_K, INNER_OF(TILE_N, B_ALONG_K), TILE_N, B_DEPTH, \
                block.y * TILE_N, p / PARTS, sizeof(number), here);                                              \
    }                                                                                                            \
  } while (0)

// Places of the numbers of a step's tile; a stage holds the last tile that was waited for.
#define REWRITTEN(step) (rewritten + (step) % 2 * REWRITTEN_NUMBERS)
#define REWRITTEN_B(step) (REWRITTEN(step) + A_ALONG_K * A_NUMBERS)
#define STAGE_OF_A (stages + stage * STAGE_NUMBERS)
#define STAGE_OF_B (STAGE_OF_A + A_NUMBERS)
// The first of its warp's rows, or columns, in that tile.
#define A_TILE(step) ((A_ALONG_K ? REWRITTEN(step) : STAGE_OF_A) + top_of_warp(warp))
#define B_TILE(step) ((B_ALONG_K ? REWRITTEN_B(step) : STAGE_OF_B) + left_of_warp(warp))
#define B_TIMES_I(step) (REWRITTEN_B(step) + left_of_warp(warp))

    for (uint s = 0; s < min(STAGES - 1u, steps); s++) FETCH(s, stage + s);
    number fours_of_a[4 * OWN_FOURS(TILE_M, TRANSPOSED, ITEMS)],
        fours_of_b[4 * OWN_FOURS(TILE_N, B_BECOMES, ITEMS)];
    number sum[SUMS], a_part[2][WORK_M], b_part[2][WORK_N];
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;
    if (steps > 0) {
      WAIT_FOR_STAGE(arrived + 8 * stage, phase);
      if (A_ALONG_K) rewrite(REWRITTEN(0), STAGE_OF_A, TILE_M, TRANSPOSED, ITEMS, item);
      if (REWRITES_B) rewrite(REWRITTEN_B(0), STAGE_OF_B, TILE_N, B_BECOMES, ITEMS, item);
      if (REWRITTEN_NUMBERS > 0) barrier(CLK_LOCAL_MEM_FENCE);
      load_a(a_part[0], A_TILE(0), lane, 0);
      load_b(b_part[0], B_TILE(0), lane, 0);
    }
    for (uint step = 0; step < steps; step++) {
      // All have read the last numbers of the stage before this one, which is filled next.
      if (step + STAGES - 1 < steps) FETCH(step + STAGES - 1, stage + STAGES - 1);
      local const number* a_tile = A_TILE(step);
      local const number* b_tile = B_TILE(step);
      local const number* b_times_i = B_TIMES_I(step);  // of complex values
#pragma unroll 1
      for (uint s = 0; s < TILE_K; s += UNROLL) {
#pragma unroll
        for (uint u = 0; u < UNROLL; u++) {
          const uint now = u % 2;
          uint next = s + u + 1;
          if (u == WAIT_STEP && s + UNROLL == TILE_K) {
            advance(&stage, &phase);
            if (step + 1 < steps) WAIT_FOR_STAGE(arrived + 8 * stage, phase);
          }
          if (A_ALONG_K)
            rewrite_in_step(REWRITTEN(step + 1), STAGE_OF_A, fours_of_a, TILE_M, TRANSPOSED, ITEMS, item,
                            WAIT_STEP + 1, UNROLL, u);
          if (REWRITES_B)
            rewrite_in_step(REWRITTEN_B(step + 1), STAGE_OF_B, fours_of_b, TILE_N, B_BECOMES, ITEMS, item,
                            WAIT_STEP + 1, UNROLL, u);
          if (u + 1 == UNROLL && next == TILE_K) {
            barrier(CLK_LOCAL_MEM_FENCE);
            a_tile = A_TILE(step + 1);  // after the last step, numbers that no one uses
            b_tile = B_TILE(step + 1);
            next = 0;
          }
          load_a(a_part[now ^ 1], a_tile, lane, next);
          load_b(b_part[now ^ 1], (u + 1) % PARTS == 0 ? b_tile : b_times_i, lane, next / PARTS);
          multiply_parts(sum, a_part[now], b_part[now]);
        }
      }
    }
    if (has_all_sums(work, segment, parts, counters, &told, sum, SUMS, ITEMS, item))
      finish(shape, alpha, beta, c, c_at, block, item, sum, exchange);
    done += segment.count;
  } while (done < steps_of_group(work));
}

// Finishes the blocks of several sharers: a work-group for each run of the work-items.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_bulk_copy_join(const Shape shape, const value alpha, const value beta, const Work work,
                             global const number* restrict parts, global output* restrict c, const Layout c_at) {
  const uint item = get_local_id(0), run = get_group_id(0), shared = get_group_id(1);
  const uint2 block = block_at(own_blocks(work) + shared, work.down, work.across);
  const ulong2 at = place_of_run(block, item, run);
  number sums[CONTIGUOUS];
  if (join_run(work, shared, parts, sums, run, SUMS, ITEMS, item))
    update_run(has_whole_runs(shape, c_at, block, TILE_N), shape, alpha, beta, c, c_at, at.x, at.y, sums);
}
