// C = alpha * A * B + beta * C for NVIDIA's Hopper: bulk copies bring tiles of A and B to local memory, of the operands
// as they lie where tensor maps take them. A work-group computes block after block of TILE_M x TILE_N elements of C, a
// warp WARP_M x WARP_N of them, a work-item WORK_M x WORK_N in registers.
//   TILE_M, TILE_N  multiples of WARP_M and WARP_N
//   WORK_M, WORK_N  multiples of 4
//   TILE_K          depth of a stage
//   A_ALONG_K       1: neighbours along k lie beside each other in A's tiles; else rows of A. In B's, columns do
//   STAGES, SWIZZLE  see common/bulk_copies.cl and common/block_order.cl

#if ELEMENT == 1
#error "doubles are for tensor_core_double"
#endif

#define WARP 32
#define WARP_M (8 * WORK_M)
#define WARP_N (4 * WORK_N)
#define SUMS (WORK_M * WORK_N)
#define ITEMS (TILE_M / WARP_M * (TILE_N / WARP_N) * WARP)
#define UNROLL (TILE_K < 16 ? TILE_K : 16)  // more would not stay in the cache of instructions
#define A_NUMBERS (TILE_M * TILE_K)
#define STAGE_NUMBERS ((TILE_M + TILE_N) * TILE_K)
#define STAGE_BYTES (STAGE_NUMBERS * sizeof(number))
#define COPIER_OF_B (ITEMS > WARP ? WARP : 0)

// A warp is 8 work-items down C and 4 across it. Along k, of lanes that differ in bit 0, or in bit 1, alone, one of A
// and B wants the same numbers: that is 2 % faster on an H200, and 5 % slower in the other order.
#if A_ALONG_K
#define down_of(lane) ((lane) / 2 % 8)
#define across_of(lane) ((lane) % 2 + (lane) / 16 * 2)
#else
#define down_of(lane) ((lane) / 4)
#define across_of(lane) ((lane) % 4)
#endif

static inline uint top_of_warp(const uint warp) { return warp / (TILE_N / WARP_N) * WARP_M; }
static inline uint left_of_warp(const uint warp) { return warp % (TILE_N / WARP_N) * WARP_N; }

// The functions load a work-item's numbers of A and of B for step s of a tile from its warp's first row or column. Run
// `run` of its sums is at row_of_run, column_of_run of the warp's.
#define A_INNER (A_ALONG_K ? TILE_K : TILE_M)
#define A_ROW (A_ALONG_K ? TILE_K : 1)  // numbers between rows of A in a tile
#if !A_ALONG_K
#define A_SWIZZLE NO_SWIZZLE
#elif TILE_K == 8
#define A_SWIZZLE SWIZZLE_32
#elif TILE_K == 16
#define A_SWIZZLE SWIZZLE_64
#else
#define A_SWIZZLE SWIZZLE_128
#endif
// Number e of a work-item's sums is row e / WORK_N of its rows and column e % WORK_N of its columns: groups of 4 beside
// each other, or, along k, rows 8 apart.
#define row_of_run(lane, run)                         \
  (A_ALONG_K ? down_of(lane) + (run) * CONTIGUOUS / WORK_N * 8 \
             : down_of(lane) * 4 + (run) * CONTIGUOUS / WORK_N / 4 * 32 + (run) * CONTIGUOUS / WORK_N % 4)
#define column_of_run(lane, run) (across_of(lane) * 4 + (run) * CONTIGUOUS % WORK_N / 4 * 16 + (run) * CONTIGUOUS % 4)

typedef JOIN(NUMBER, 4) Quad;

inlined void load_quad(number* to, local const number* from) {
  const Quad quad = *(local const Quad*)from;
  to[0] = quad.x;
  to[1] = quad.y;
  to[2] = quad.z;
  to[3] = quad.w;
}

inlined void load_a(number part[WORK_M], local const number* tile, const uint lane, const uint s) {
#pragma unroll
  for (uint q = 0; q < WORK_M / 4; q++) load_quad(part + 4 * q, tile + s * TILE_M + down_of(lane) * 4 + 32 * q);
}

inlined void load_b(number part[WORK_N], local const number* tile, const uint lane, const uint s) {
#pragma unroll
  for (uint q = 0; q < WORK_N / 4; q++) load_quad(part + 4 * q, tile + s * TILE_N + across_of(lane) * 4 + 16 * q);
}

// Along k: 4 steps of row r.
inlined void load_row(number* quads, local const number* tile, const uint lane, const uint r, const uint s) {
  const uint row = down_of(lane) + 8 * r, exchange = row * TILE_K / 32 % (TILE_K / 4);
  load_quad(quads + 4 * r, tile + row * TILE_K + (s / 4 ^ exchange) * 4);
}

inlined void multiply_row(number* sum, const number a, const number b_part[WORK_N]) {
#pragma unroll
  for (uint q = 0; q < WORK_N; q++) sum[q] = multiply_add(a, b_part[q], sum[q]);
}

inlined void multiply_parts(number sum[SUMS], const number a_part[WORK_M], const number b_part[WORK_N]) {
#pragma unroll
  for (uint r = 0; r < WORK_M; r++) multiply_row(sum + r * WORK_N, a_part[r], b_part);
}

// A run of a work-item's sums to C.
inlined void finish_run(const bool whole, const Shape shape, const number alpha, const number beta, global element* c,
                        const Layout c_at, const uint2 block, const uint item, const uint run,
                        const number sums[CONTIGUOUS]) {
  const uint lane = item % WARP, warp = item / WARP;
  const ulong i = (ulong)block.x * TILE_M + top_of_warp(warp), j = (ulong)block.y * TILE_N + left_of_warp(warp);
  update_run(whole, shape, alpha, beta, c, c_at, i + row_of_run(lane, run), j + column_of_run(lane, run), sums);
}

// Where rows of C are not aligned, or not whole: 4 of a row of each work-item at a time go to local memory, from where
// neighbours in a warp store neighbours in C.
#define EXCHANGED (4 * ITEMS)
inlined void finish_by_columns(const Shape shape, const number alpha, const number beta, global element* c,
                               const Layout c_at, const uint2 block, const uint item, const number sum[SUMS],
                               local number* exchange) {
  const uint lane = item % WARP, warp = item / WARP;
  const ulong i = (ulong)block.x * TILE_M + top_of_warp(warp), j = (ulong)block.y * TILE_N + left_of_warp(warp);
  exchange += warp * (4 * WARP);  // 8 rows of 16
#pragma unroll
  for (uint four = 0; four < SUMS / 4; four++) {
    const uint r = four * 4 / WORK_N, column = four * 4 % WORK_N / 4 * 16;
#pragma unroll
    for (uint e = 0; e < 4; e++) exchange[down_of(lane) * 16 + across_of(lane) * 4 + e] = sum[4 * four + e];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint e = lane; e < 4 * WARP; e += WARP) {
      const uint row = e / 16;
      const ulong ci = i + (A_ALONG_K ? row + 8 * r : row * 4 + r / 4 * 32 + r % 4), cj = j + column + e % 16;
      if (ci < shape.m && cj < shape.n) update(c, c_at, ci, cj, alpha, exchange[e], beta);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// All of them. The usual case is by itself, since it takes little code.
inlined void finish(const Shape shape, const number alpha, const number beta, global element* c, const Layout c_at,
                    const uint2 block, const uint item, const number sum[SUMS], local number* exchange) {
  if (has_whole_runs(shape, c_at, block, TILE_N)) {
#pragma unroll
    for (uint run = 0; run < SUMS / CONTIGUOUS; run++)
      finish_run(true, shape, alpha, beta, c, c_at, block, item, run, sum + run * CONTIGUOUS);
  } else {
    finish_by_columns(shape, alpha, beta, c, c_at, block, item, sum, exchange);
  }
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_bulk_copy(const Shape shape, const number alpha, const number beta, const Work work,
                        global const number* a, const Layout a_at,      // m x k
                        global const number* b, const Layout b_at,      // k x n
                        global element* restrict c, const Layout c_at,  // m x n
                        global uchar* maps, global number* parts, global uint* counters) {
  local uint told;
  local number stages[STAGES * STAGE_NUMBERS] __attribute__((aligned(1024)));
  local uint drafts[2][BYTES_OF_MAP / 4] __attribute__((aligned(128)));
  local ulong arrivals[STAGES];
  local number exchange[EXCHANGED];
  const uint item = get_local_id(0), lane = item % WARP, warp = item / WARP;
  const uint memory = local_address(stages), arrived = local_address(arrivals);
  global uchar* a_map = maps + (ulong)get_group_id(0) * (2 * BYTES_OF_MAP);
  global uchar* b_map = a_map + BYTES_OF_MAP;
  if (warp == 0) {
    make_map(a_map, drafts[0], a + a_at.offset, shape.m, shape.k, a_at.row, a_at.column, A_ALONG_K, A_INNER, TILE_M,
             sizeof(number), MAP_OF_4_BYTES, A_SWIZZLE);
  }
  if (warp == COPIER_OF_B / WARP) {
    make_map(b_map, drafts[1], b + b_at.offset, shape.n, shape.k, b_at.column, b_at.row, false, TILE_N, TILE_N,
             sizeof(number), MAP_OF_4_BYTES, NO_SWIZZLE);
  }
  if (item == 0) {
    make_barriers(arrived, 2);
    publish_barriers();
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Of a warp's rows or columns, the first in a stage.
  local const number* a_here = stages + top_of_warp(warp) * A_ROW;
  local const number* b_here = stages + A_NUMBERS + left_of_warp(warp);
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
      copy_tile(to, a_map, A_ALONG_K, A_INNER, TILE_M, block.x * TILE_M, p, sizeof(number), here);               \
    }                                                                                                            \
    if (item == COPIER_OF_B) {                                                                                   \
      expect_bytes(here, STAGE_BYTES - A_NUMBERS * sizeof(number));                                              \
      copy_tile(to + A_NUMBERS * sizeof(number), b_map, false, TILE_N, TILE_N, block.y * TILE_N, p, sizeof(number), \
                here);                                                                                           \
    }                                                                                                            \
  } while (0)

    for (uint s = 0; s < min(STAGES - 1u, steps); s++) FETCH(s, stage + s);
    number sum[SUMS], b_part[2][WORK_N];
#if A_ALONG_K
    number a_rows[4 * WORK_M];  // 4 steps of each row, which is loaded again after its last use
#else
    number a_part[2][WORK_M];
#endif
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;
    if (steps > 0) {
      wait_for_stage(arrived + 8 * stage, phase);
#if A_ALONG_K
#pragma unroll
      for (uint r = 0; r < WORK_M; r++) load_row(a_rows, a_here + stage * STAGE_NUMBERS, lane, r, 0);
#else
      load_a(a_part[0], a_here + stage * STAGE_NUMBERS, lane, 0);
#endif
      load_b(b_part[0], b_here + stage * STAGE_NUMBERS, lane, 0);
    }
    for (uint step = 0; step < steps; step++) {
      // All have read the last numbers of the stage before this one, which is filled next.
      if (step + STAGES - 1 < steps) FETCH(step + STAGES - 1, stage + STAGES - 1);
      local const number* a_tile = a_here + stage * STAGE_NUMBERS;
      local const number* b_tile = b_here + stage * STAGE_NUMBERS;
#pragma unroll 1
      for (uint s = 0; s < TILE_K; s += UNROLL) {
#pragma unroll
        for (uint u = 0; u < UNROLL; u++) {
          const uint now = u % 2;
          uint next = s + u + 1;
          if (u + 1 == UNROLL && next == TILE_K) {
            advance(&stage, &phase);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (step + 1 < steps) wait_for_stage(arrived + 8 * stage, phase);
            a_tile = a_here + stage * STAGE_NUMBERS;  // after the last step, numbers that no one uses
            b_tile = b_here + stage * STAGE_NUMBERS;
            next = 0;
          }
          load_b(b_part[now ^ 1], b_tile, lane, next);
#if A_ALONG_K
#pragma unroll
          for (uint r = 0; r < WORK_M; r++) {
            multiply_row(sum + r * WORK_N, a_rows[4 * r + u % 4], b_part[now]);
            if (u % 4 == 3) load_row(a_rows, a_tile, lane, r, next);
          }
#else
          load_a(a_part[now ^ 1], a_tile, lane, next);
          multiply_parts(sum, a_part[now], b_part[now]);
#endif
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
void multiply_bulk_copy_join(const Shape shape, const number alpha, const number beta, const Work work,
                             global const number* restrict parts, global element* restrict c, const Layout c_at) {
  const uint item = get_local_id(0), run = get_group_id(0), shared = get_group_id(1);
  const uint2 block = block_at(own_blocks(work) + shared, work.down, work.across);
  number sums[CONTIGUOUS];
  if (join_run(work, shared, parts, sums, run, SUMS, ITEMS, item))
    finish_run(has_whole_runs(shape, c_at, block, TILE_N), shape, alpha, beta, c, c_at, block, item, run, sums);
}
