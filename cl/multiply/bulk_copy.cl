// C = alpha * A * B + beta * C for NVIDIA GPUs from Hopper on: both operands are packed into panels first, whose stages
// bulk copies bring to local memory (copies of single rows of an operand make it 12 % slower). A work-group owns
// TILE_M x TILE_N elements of C, a warp WARP_M x WARP_N of them, a work-item SUMS in registers. Doubles are multiplied
// by the tensor cores (PTX ISA 8.0, "mma.sync", .f64), whose arithmetic is IEEE's; others by multiply-adds.
//   TILE_M, TILE_N  multiples of WARP_M and WARP_N
//   TILE_K          depth of a stage
//   STAGES, SWIZZLE  see common/bulk_copies.cl and common/block_order.cl

#define WARP 32
#define WARP_M 64
#define WARP_N (ELEMENT == 1 ? 32 : 64)
#define SUMS (WARP_M * WARP_N / WARP)
#define ITEMS (TILE_M / WARP_M * (TILE_N / WARP_N) * WARP)
#define UNROLL (TILE_K / DEPTH < 16 ? TILE_K / DEPTH : 16)  // more would not stay in the cache of instructions
#define A_STEP (TILE_M + PAD)
#define B_STEP (TILE_N + PAD)
#define A_BYTES (A_STEP * TILE_K * sizeof(number))
#define B_BYTES (B_STEP * TILE_K * sizeof(number))
#define STAGE_NUMBERS ((A_STEP + B_STEP) * TILE_K)

// A work-item's share of one step of DEPTH rows of a stage: its numbers of A and B, and what is done with them. Its
// place in a warp's block is row_of_lane, column_of_lane; run r of its sums is row_of_run, column_of_run from there.
#if ELEMENT == 1

#define DEPTH 4
#define A_PART (WARP_M / 8)
#define B_PART (WARP_N / 8)
#define row_of_lane(lane) ((lane) / 4)
#define column_of_lane(lane) ((lane) % 4 * 2)
#define row_of_run(run) ((run) / 8 * 16 + (run) % 2 * 8)
#define column_of_run(run) ((run) / 2 % 4 * 8)

// Of a 16 x 4 by 4 x 8 product, lane 4 g + t has rows g and g + 8 and column t of A, and row t and column g of B.
static inline uint place_in_a(const uint lane) { return lane % 4 * A_STEP + lane / 4; }
static inline uint place_in_b(const uint lane) { return lane % 4 * B_STEP + lane / 4; }

inlined void load_parts(number a_part[A_PART], number b_part[B_PART], local const number* a,
                              local const number* b) {
#pragma unroll
  for (uint q = 0; q < B_PART; q++) b_part[q] = b[8 * q];
#pragma unroll
  for (uint r = 0; r < A_PART; r++) a_part[r] = a[8 * r];
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

#else

#define DEPTH 1
#define A_PART 8
#define B_PART 16
#define row_of_lane(lane) ((lane) / 4 * 4)
#define column_of_lane(lane) ((lane) % 4 * 4)
#define row_of_run(run) ((run) * RUN / 64 * 32 + (run) * RUN / 16 % 4)
#define column_of_run(run) ((run) * RUN % 16 / 4 * 16 + (run) * RUN % 4)

static inline uint place_in_a(const uint lane) { return row_of_lane(lane); }
static inline uint place_in_b(const uint lane) { return column_of_lane(lane); }

typedef JOIN(NUMBER, 4) Quad;

inlined void load_quad(number* to, local const number* from) {
  const Quad quad = *(local const Quad*)from;
  to[0] = quad.x;
  to[1] = quad.y;
  to[2] = quad.z;
  to[3] = quad.w;
}

// Two and four groups of 4, which lie 32 and 16 apart.
inlined void load_parts(number a_part[A_PART], number b_part[B_PART], local const number* a,
                              local const number* b) {
  load_quad(a_part, a);
  load_quad(a_part + 4, a + 32);
#pragma unroll
  for (uint q = 0; q < 4; q++) load_quad(b_part + 4 * q, b + 16 * q);
}

inlined void multiply_parts(number sum[SUMS], const number a_part[A_PART], const number b_part[B_PART]) {
#pragma unroll
  for (uint r = 0; r < A_PART; r++) {
#pragma unroll
    for (uint q = 0; q < B_PART; q++) sum[r * B_PART + q] = multiply_add(a_part[r], b_part[q], sum[r * B_PART + q]);
  }
}

#endif

static inline uint top_of_warp(const uint warp) { return warp / (TILE_N / WARP_N) * WARP_M; }
static inline uint left_of_warp(const uint warp) { return warp % (TILE_N / WARP_N) * WARP_N; }

// A run of a work-item's sums to C.
inlined void finish_run(const bool whole, const Shape shape, const number alpha, const number beta, global element* c,
                        const Layout c_at, const uint2 block, const uint item, const uint run, const number sums[RUN]) {
  const uint lane = item % WARP, warp = item / WARP;
  const ulong i = (ulong)block.x * TILE_M + top_of_warp(warp) + row_of_lane(lane),
              j = (ulong)block.y * TILE_N + left_of_warp(warp) + column_of_lane(lane);
  update_run(whole, shape, alpha, beta, c, c_at, i + row_of_run(run), j + column_of_run(run), sums);
}

// All of them. The usual case is by itself, since it takes little code.
inlined void finish(const Shape shape, const number alpha, const number beta, global element* c, const Layout c_at,
                    const uint2 block, const uint item, const number sum[SUMS]) {
  if (has_whole_runs(shape, c_at, block, TILE_M, TILE_N)) {
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
void multiply_bulk_copy(const Shape shape, const number alpha, const number beta, const Work work,
                        global const number* restrict a_panels,         // of TILE_M rows
                        global const number* restrict b_panels,         // of TILE_N columns
                        global element* restrict c, const Layout c_at,  // m x n
                        global number* restrict parts) {
  local number stages[STAGES * STAGE_NUMBERS] __attribute__((aligned(128)));
  local ulong arrivals[STAGES];
  const uint item = get_local_id(0), lane = item % WARP, warp = item / WARP;
  const uint memory = local_address(stages), arrived = local_address(arrivals);
  if (item == 0) {
    make_barriers(arrived, 1);
    publish_barriers();
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  local const number* a_here = stages + place_in_a(lane) + top_of_warp(warp);
  local const number* b_here = stages + TILE_K * A_STEP + place_in_b(lane) + left_of_warp(warp);
  const ulong depth = (ulong)work.steps * TILE_K;
  uint stage = 0, phase = 0, done = 0;
  do {
    const Segment segment = segment_at(work, done);
    const uint2 block = block_at(segment.block, work.down, work.across);
    global const number* from_a = a_panels + (block.x * depth + (ulong)segment.first * TILE_K) * A_STEP;
    global const number* from_b = b_panels + (block.y * depth + (ulong)segment.first * TILE_K) * B_STEP;

#define FETCH(step, stage_to_fill)                                                                     \
  do {                                                                                                 \
    const uint place = (stage_to_fill) % STAGES, to = memory + place * STAGE_NUMBERS * sizeof(number); \
    expect_bytes(arrived + 8 * place, A_BYTES + B_BYTES);                                              \
    copy_bytes(to, from_a + (ulong)(step) * TILE_K * A_STEP, A_BYTES, arrived + 8 * place);            \
    copy_bytes(to + A_BYTES, from_b + (ulong)(step) * TILE_K * B_STEP, B_BYTES, arrived + 8 * place);  \
  } while (0)

    if (item == 0) {
      for (uint s = 0; s < min(STAGES - 1u, segment.count); s++) FETCH(s, stage + s);
    }
    number sum[SUMS], a_part[2][A_PART], b_part[2][B_PART];
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;
    if (segment.count > 0) {
      wait_for_stage(arrived + 8 * stage, phase);
      load_parts(a_part[0], b_part[0], a_here + stage * STAGE_NUMBERS, b_here + stage * STAGE_NUMBERS);
    }
    for (uint step = 0; step < segment.count; step++) {
      // All have read the last numbers of the stage before this one, which is filled next.
      if (item == 0 && step + STAGES - 1 < segment.count) FETCH(step + STAGES - 1, stage + STAGES - 1);
      local const number* a_stage = a_here + stage * STAGE_NUMBERS;
      local const number* b_stage = b_here + stage * STAGE_NUMBERS;
#pragma unroll 1
      for (uint p = 0; p < TILE_K; p += UNROLL * DEPTH) {
#pragma unroll
        for (uint u = 0; u < UNROLL; u++) {
          const uint now = u % 2, next = p + (u + 1) * DEPTH;
          if (u + 1 < UNROLL || next < TILE_K) {
            load_parts(a_part[now ^ 1], b_part[now ^ 1], a_stage + next * A_STEP, b_stage + next * B_STEP);
          } else {
            advance(&stage, &phase);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (step + 1 < segment.count) {
              wait_for_stage(arrived + 8 * stage, phase);
              load_parts(a_part[now ^ 1], b_part[now ^ 1], a_here + stage * STAGE_NUMBERS,
                         b_here + stage * STAGE_NUMBERS);
            }
          }
          multiply_parts(sum, a_part[now], b_part[now]);
        }
      }
    }
    if (is_whole(work, segment)) {
      finish(shape, alpha, beta, c, c_at, block, item, sum);
    } else {
      keep_sums(place_of_sums(parts, get_group_id(0), segment.begins, SUMS, ITEMS), sum, SUMS, ITEMS, item);
    }
    done += segment.count;
  } while (done < steps_of_group(work));
}

// Finishes the blocks of several sharers: a work-group for each run of the work-items.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_bulk_copy_join(const Shape shape, const number alpha, const number beta, const Work work,
                             global const number* restrict parts, global element* restrict c, const Layout c_at) {
  const uint item = get_local_id(0), run = get_group_id(0), shared = get_group_id(1);
  const uint2 block = block_at(own_blocks(work) + shared, work.down, work.across);
  number sums[RUN];
  if (join_run(work, shared, parts, sums, run, SUMS, ITEMS, item))
    finish_run(has_whole_runs(shape, c_at, block, TILE_M, TILE_N), shape, alpha, beta, c, c_at, block, item, run, sums);
}
