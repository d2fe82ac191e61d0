// C = alpha * A * B + beta * C of doubles on the tensor cores of NVIDIA's Hopper (PTX ISA 8.0, "mma.sync", .f64), whose
// arithmetic is IEEE's: bulk copies bring tiles of the operands, as they lie where tensor maps take them, to local
// memory.
//   TILE_M, TILE_N  128 x 128 elements of C for a work-group: eight warps with 64 x 32 each, and four that copy
//   TILE_K          depth of a stage: a multiple of 16
//   A_ALONG_K, B_ALONG_K  1: neighbours along k lie beside each other; else rows of A, or columns of B
//   STAGES, SWIZZLE  see common/bulk_copies.cl and common/block_order.cl

#define TILE_M 128
#define TILE_N 128
#define WARP 32
#define WARP_M 64
#define WARP_N 32
#define SUMMERS 256
#define ITEMS (SUMMERS + 128)
#define SUMS (WARP_M * WARP_N / WARP)
#define STEPS (TILE_K / DEPTH)
#define A_NUMBERS (TILE_M * TILE_K)
#define STAGE_NUMBERS ((TILE_M + TILE_N) * TILE_K)

static inline uint top_of_warp(const uint warp) { return warp / (TILE_N / WARP_N) * WARP_M; }
static inline uint left_of_warp(const uint warp) { return warp % (TILE_N / WARP_N) * WARP_N; }

// A step is DEPTH of the depth. Of a tile's rows of k, 64 bytes are beside each other; of its rows of A, or columns of
// B, 128.
#define DEPTH 4
#define A_INNER (A_ALONG_K ? 8 : 16)
#define B_INNER (B_ALONG_K ? 8 : 16)
#define A_ROW (A_ALONG_K ? 8 : TILE_K)  // numbers in a tile between multiples of 16 rows, for each of the rows
#define B_COLUMN (B_ALONG_K ? 8 : TILE_K)
#if A_ALONG_K
#define A_SWIZZLE SWIZZLE_64
#else
#define A_SWIZZLE SWIZZLE_128
#endif
#if B_ALONG_K
#define B_SWIZZLE SWIZZLE_64
#else
#define B_SWIZZLE SWIZZLE_128
#endif
#define A_PART (WARP_M / 8)
#define B_PART (WARP_N / 8)

// Of a 16 x 4 by 4 x 8 product, lane 4 g + t has rows g and g + 8 and column t of A, row t and column g of B, and rows
// g and g + 8 and columns 2 t and 2 t + 1 of the sums. Group f of 8 rows or columns has these places in the tile, so
// that no two of 16 lanes, which read at once, use the same banks.
static inline uint place_in_group(const uint g, const bool along_k) {
  return g % 2 + g / 2 % 2 * (along_k ? 4 : 8) + g / 4 * 2;
}
static inline uint place_of_group(const uint f, const bool along_k) { return along_k ? f * 8 : f % 2 * 4 + f / 2 * 16; }

#define row_of_run(lane, run) \
  (place_in_group((lane) / 4, A_ALONG_K) + place_of_group((run) / 8 * 2 + (run) % 2, A_ALONG_K))
#define column_of_run(lane, run) \
  (place_in_group((lane) % 4 * 2, B_ALONG_K) + place_of_group((run) / 2 % 4, B_ALONG_K))

// A lane's number of group f for step s.
static inline uint place_in_tile(const uint lane, const uint f, const uint s, const bool along_k, const uint width) {
  const uint g = lane / 4, t = lane % 4, w = place_in_group(g, along_k) + (along_k ? 0 : f % 2 * 4);
  if (along_k) {
    const uint piece = (t / 2 + s % 2 * 2) ^ w / 2 % 4;
    return s / 2 * (width * 8) + (w + f * 8) * 8 + piece * 2 + t % 2;
  }
  const uint piece = w / 2 ^ (t + s % 2 * 4);
  return f / 2 * (TILE_K * 16) + (s * 4 + t) * 16 + piece * 2 + w % 2;
}

inlined void load_a(number part[A_PART], local const number* tile, const uint lane, const uint s) {
#pragma unroll
  for (uint f = 0; f < A_PART; f++) part[f] = tile[place_in_tile(lane, f, s, A_ALONG_K, TILE_M)];
}

inlined void load_b(number part[B_PART], local const number* tile, const uint lane, const uint s) {
#pragma unroll
  for (uint f = 0; f < B_PART; f++) part[f] = tile[place_in_tile(lane, f, s, B_ALONG_K, TILE_N)];
}

inlined void multiply_parts(number sum[SUMS], const number a_part[A_PART], const number b_part[B_PART]) {
#pragma unroll
  for (uint r = 0; r < A_PART / 2; r++) {
#pragma unroll
    for (uint q = 0; q < B_PART; q++) {
      number* d = sum + (r * B_PART + q) * 4;
      asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
          : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
          : "d"(a_part[2 * r]), "d"(a_part[2 * r + 1]), "d"(b_part[q]));
    }
  }
}

// A run of a work-item's sums to C.
inlined void finish_run(const bool whole, const Shape shape, const number alpha, const number beta, global element* c,
                        const Layout c_at, const uint2 block, const uint item, const uint run, const number sums[RUN]) {
  const uint lane = item % WARP, warp = item / WARP;
  const ulong i = (ulong)block.x * TILE_M + top_of_warp(warp), j = (ulong)block.y * TILE_N + left_of_warp(warp);
  update_run(whole, shape, alpha, beta, c, c_at, i + row_of_run(lane, run), j + column_of_run(lane, run), sums);
}

// All of them. The usual case is by itself, since it takes little code.
inlined void finish(const Shape shape, const number alpha, const number beta, global element* c, const Layout c_at,
                    const uint2 block, const uint item, const number sum[SUMS]) {
  if (has_whole_runs(shape, c_at, block, TILE_N)) {
#pragma unroll
    for (uint run = 0; run < SUMS / RUN; run++)
      finish_run(true, shape, alpha, beta, c, c_at, block, item, run, sum + run * RUN);
  } else {
#pragma unroll
    for (uint run = 0; run < SUMS / RUN; run++)
      finish_run(false, shape, alpha, beta, c, c_at, block, item, run, sum + run * RUN);
  }
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_tensor_core_double(const Shape shape, const number alpha, const number beta, const Work work,
                                 global const number* a, const Layout a_at,      // m x k
                                 global const number* b, const Layout b_at,      // k x n
                                 global element* restrict c, const Layout c_at,  // m x n
                                 global uchar* maps, global number* parts, global uint* counters) {
  local uint told;
  local number stages[STAGES * STAGE_NUMBERS] __attribute__((aligned(1024)));
  local uint drafts[2][BYTES_OF_MAP / 4] __attribute__((aligned(128)));
  local ulong barriers[2 * STAGES];
  const uint item = get_local_id(0), lane = item % WARP, warp = item / WARP;
  const uint memory = local_address(stages), arrived = local_address(barriers), used = arrived + 8 * STAGES;
  if (item == 0) {
    make_barriers(arrived, 2);
    make_barriers(used, SUMMERS / WARP);
    publish_barriers();
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint steps = shape.k == 0 ? 0 : work.steps;
  uint stage = 0, phase = 0, done = 0;

  if (item >= SUMMERS) {
    fewer_registers(24);
    const uint copier = warp - SUMMERS / WARP;
    global uchar* map = maps + ((ulong)get_group_id(0) * 2 + copier) * BYTES_OF_MAP;
    if (copier == 0) {
      make_map(map, drafts[0], a + a_at.offset, shape.m, shape.k, a_at.row, a_at.column, A_ALONG_K, A_INNER, TILE_M,
               sizeof(number), MAP_OF_8_BYTES, A_SWIZZLE);
    } else if (copier == 1) {
      make_map(map, drafts[1], b + b_at.offset, shape.n, shape.k, b_at.column, b_at.row, B_ALONG_K, B_INNER, TILE_N,
               sizeof(number), MAP_OF_8_BYTES, B_SWIZZLE);
    }
    if (lane > 0 || copier > 1 || steps == 0) return;
    phase = 1;
    do {
      const Segment segment = segment_at(work, done);
      const uint2 block = block_at(segment.block, work.down, work.across);
#pragma unroll 1
      for (uint step = segment.first; step < segment.first + segment.count; step++) {
        const uint to = memory + stage * STAGE_NUMBERS * sizeof(number), here = arrived + 8 * stage;
        wait_for_stage(used + 8 * stage, phase);
        if (copier == 0) {
          expect_bytes(here, A_NUMBERS * sizeof(number));
          copy_tile(to, map, A_ALONG_K, A_INNER, TILE_M, block.x * TILE_M, step * TILE_K, sizeof(number), here);
        } else {
          expect_bytes(here, (STAGE_NUMBERS - A_NUMBERS) * sizeof(number));
          copy_tile(to + A_NUMBERS * sizeof(number), map, B_ALONG_K, B_INNER, TILE_N, block.y * TILE_N, step * TILE_K,
                    sizeof(number), here);
        }
        advance(&stage, &phase);
      }
      done += segment.count;
    } while (done < steps_of_group(work));
    return;
  }

  more_registers(240);
  // Of a warp's rows or columns, the first in a stage.
  local const number* a_here = stages + top_of_warp(warp) * A_ROW;
  local const number* b_here = stages + A_NUMBERS + left_of_warp(warp) * B_COLUMN;
  do {
    const Segment segment = segment_at(work, done);
    const uint count = min(segment.count, steps);
    number sum[SUMS], a_part[2][A_PART], b_part[2][B_PART];
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;
    if (count > 0) {
      wait_for_stage(arrived + 8 * stage, phase);
      load_a(a_part[0], a_here + stage * STAGE_NUMBERS, lane, 0);
      load_b(b_part[0], b_here + stage * STAGE_NUMBERS, lane, 0);
    }
    for (uint step = 0; step < count; step++) {
      local const number* a_tile = a_here + stage * STAGE_NUMBERS;
      local const number* b_tile = b_here + stage * STAGE_NUMBERS;
      const uint used_here = used + 8 * stage;
#pragma unroll
      for (uint s = 0; s < STEPS; s++) {
        if (s + 1 == STEPS) {
          advance(&stage, &phase);
          if (step + 1 < count) wait_for_stage(arrived + 8 * stage, phase);
          a_tile = a_here + stage * STAGE_NUMBERS;  // after the last step, numbers that no one uses
          b_tile = b_here + stage * STAGE_NUMBERS;
        }
        load_a(a_part[(s + 1) % 2], a_tile, lane, (s + 1) % STEPS);
        load_b(b_part[(s + 1) % 2], b_tile, lane, (s + 1) % STEPS);
        multiply_parts(sum, a_part[s % 2], b_part[s % 2]);
      }
      if (lane == 0) arrive(used_here);
    }
    if (has_all_sums(work, segment, parts, counters, &told, sum, SUMS, SUMMERS, item))
      finish(shape, alpha, beta, c, c_at, block_at(segment.block, work.down, work.across), item, sum);
    done += segment.count;
  } while (done < steps_of_group(work));
}

// Finishes the blocks of several sharers: a work-group for each run of the work-items.
kernel __attribute__((reqd_work_group_size(SUMMERS, 1, 1)))
void multiply_tensor_core_double_join(const Shape shape, const number alpha, const number beta, const Work work,
                                      global const number* restrict parts, global element* restrict c,
                                      const Layout c_at) {
  const uint item = get_local_id(0), run = get_group_id(0), shared = get_group_id(1);
  const uint2 block = block_at(own_blocks(work) + shared, work.down, work.across);
  number sums[RUN];
  if (join_run(work, shared, parts, sums, run, SUMS, SUMMERS, item))
    finish_run(has_whole_runs(shape, c_at, block, TILE_N), shape, alpha, beta, c, c_at, block, item, run, sums);
}
