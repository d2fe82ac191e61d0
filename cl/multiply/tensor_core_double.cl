// C = alpha * A * B + beta * C of doubles on the tensor cores of NVIDIA's Hopper (PTX ISA 8.0, "mma.sync", .f64), whose
// arithmetic is IEEE's: bulk copies bring tiles to local memory, from operands whose layout tensor maps support.
//   TILE            128 or 64: rows and columns of C for a work-group. With 128, eight warps compute 64 x 32 or 32 x 64
//                   each; with 64, four warps compute 32 x 32. Four more warps copy
//   TILE_K          depth of a stage: a multiple of 16
//   A_ALONG_K, B_ALONG_K  1: adjacent numbers are neighbours along k; else rows of A, or columns of B
//   STAGES, SWIZZLE  see nvidia/bulk_copies.cl and common/block_order.cl

#include "common/block_order.cl"
#include "nvidia/aligned_copies.cl"
#include "nvidia/tensor_maps.cl"
#include "nvidia/wgmma.cl"
#include "nvidia/halves.cl"
#include "nvidia/block_runs.cl"
#include "common/stream_k.cl"

#define WARP 32
#define SUMMERS (TILE == 128 ? 256 : 128)
#define ITEMS (SUMMERS + 128)
#define SUMS (TILE * TILE / SUMMERS)
#define STEPS (TILE_K / INSTRUCTION_K)
#define A_NUMBERS (TILE * TILE_K)
#define STAGE_NUMBERS (2 * A_NUMBERS)
#define STAGE_BYTES (STAGE_NUMBERS * sizeof(number))

// A step is INSTRUCTION_K deep. Of a tile's rows of k, 64 bytes are beside each other; of its rows of A, or columns of
// B, 128.
#define INSTRUCTION_K 8
#define A_INNER (A_ALONG_K ? 8 : 16)
#define B_INNER (B_ALONG_K ? 8 : 16)
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

// A warp multiplies X, 16 x 8, by Y, 8 x 8: A by B, or B transposed by A transposed. Lane 4 g + t has rows g and g + 8
// of X and column g of Y, both at depths t and t + 4, and rows g and g + 8 and columns 2 t and 2 t + 1 of the sums. The
// depths may be any two, and a group of 8 rows or columns any 8. They are chosen so that a lane reads two neighbours at
// once, in other banks than the seven lanes that read with it. Along k these are depths 2 t and 2 t + 1, else places of
// groups f and f + 1. An instruction needs two rows of X, or two depths of Y, in adjacent registers. No number moves if
// X is the operand across k and Y the one along k.
#define B_IS_X (!B_ALONG_K)
#if B_IS_X
#define X_ALONG_K B_ALONG_K
#define Y_ALONG_K A_ALONG_K
#else
#define X_ALONG_K A_ALONG_K
#define Y_ALONG_K B_ALONG_K
#endif
// Extents of a warp. If numbers of A move, the warp has few of them.
#define X_EXTENT (TILE == 64 || X_ALONG_K ? 32 : 64)
#define Y_EXTENT (TILE == 128 && X_ALONG_K ? 64 : 32)
#define X_GROUPS (X_EXTENT / 8)
#define Y_GROUPS (Y_EXTENT / 8)
#define X_PART (2 * X_GROUPS)
#define Y_PART (2 * Y_GROUPS)
#define A_EXTENT (B_IS_X ? Y_EXTENT : X_EXTENT)
#define B_EXTENT (B_IS_X ? X_EXTENT : Y_EXTENT)

static inline uint top_of_warp(const uint warp) { return warp / (TILE / B_EXTENT) * A_EXTENT; }
static inline uint left_of_warp(const uint warp) { return warp % (TILE / B_EXTENT) * B_EXTENT; }

static inline uint place_in_group(const uint f, const uint g, const bool along_k) {
  return along_k ? f * 8 + g : f / 2 * 16 + g * 2 + f % 2;
}

// A run is two sums beside each other in a row of C: of two columns of the product, or of two rows if B is X.
#define PLACE_OF_SUM(r, q, h, e) (((r) * Y_GROUPS + (q)) * 4 + (B_IS_X ? (e) * 2 + (h) : (h) * 2 + (e)))
#define ROW_OF_PRODUCT(lane, run) \
  place_in_group((run) / 2 / Y_GROUPS * 2 + (B_IS_X ? 0 : (run) % 2), (lane) / 4, X_ALONG_K)
#define COLUMN_OF_PRODUCT(lane, run) \
  place_in_group((run) / 2 % Y_GROUPS, (lane) % 4 * 2 + (B_IS_X ? (run) % 2 : 0), Y_ALONG_K)
#define ROW_OF_RUN(lane, run) (B_IS_X ? COLUMN_OF_PRODUCT(lane, run) : ROW_OF_PRODUCT(lane, run))
#define COLUMN_OF_RUN(lane, run) (B_IS_X ? ROW_OF_PRODUCT(lane, run) : COLUMN_OF_PRODUCT(lane, run))

// Two neighbours of local memory; written so, no compiler reads them one by one.
static inline void load_two(number* first, number* second, const uint address) {
  asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(*first), "=d"(*second) : "r"(address));
}

// A lane's numbers of a step, of `groups` groups, at both its depths.
inlined void load_part(number* part, const uint tile, const uint lane, const uint step, const uint groups,
                       const bool along_k) {
  const uint g = lane / 4, t = lane % 4;
  if (along_k) {
    const uint from = tile + (step * TILE + g) * 64 + (t ^ g / 2) * 16;
#pragma unroll
    for (uint f = 0; f < groups; f++) load_two(part + f * 2, part + f * 2 + 1, from + f * 512);
  } else {
#pragma unroll
    for (uint d = 0; d < 2; d++) {
      const uint k = t * 2 + d, from = tile + (step * INSTRUCTION_K + k) * 128 + (g ^ k) * 16;
#pragma unroll
      for (uint f = 0; f < groups; f += 2)
        load_two(part + f * 2 + d, part + f * 2 + 2 + d, from + f / 2 * (TILE_K * 128));
    }
  }
}
#define LOAD_X(part, tile, lane, step) load_part(part, tile, lane, step, X_GROUPS, X_ALONG_K)
#define LOAD_Y(part, tile, lane, step) load_part(part, tile, lane, step, Y_GROUPS, Y_ALONG_K)

inlined void multiply_parts(number sum[SUMS], const number x[X_PART], const number y[Y_PART]) {
#pragma unroll
  for (uint r = 0; r < X_GROUPS / 2; r++) {
#pragma unroll
    for (uint q = 0; q < Y_GROUPS; q++) {
      asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
          "{%0, %1, %2, %3};"
          : "+d"(sum[PLACE_OF_SUM(r, q, 0, 0)]), "+d"(sum[PLACE_OF_SUM(r, q, 0, 1)]),
            "+d"(sum[PLACE_OF_SUM(r, q, 1, 0)]), "+d"(sum[PLACE_OF_SUM(r, q, 1, 1)])
          : "d"(x[r * 4]), "d"(x[r * 4 + 2]), "d"(x[r * 4 + 1]), "d"(x[r * 4 + 3]), "d"(y[q * 2]), "d"(y[q * 2 + 1]));
    }
  }
}

// Row and column of C of the first sum of a work-item's run.
inlined ulong2 place_of_run(const uint2 block, const uint item, const uint run) {
  const uint lane = item % WARP, warp = item / WARP;
  return (ulong2)((ulong)block.x * TILE + top_of_warp(warp) + ROW_OF_RUN(lane, run),
                  (ulong)block.y * TILE + left_of_warp(warp) + COLUMN_OF_RUN(lane, run));
}

// Stores a block of C. The usual case is separate because it needs little code.
inlined void finish(const Shape shape, const number alpha, const number beta, global element* c, const Layout c_at,
                    const uint2 block, const uint item, number sum[SUMS]) {
  if (has_whole_runs(shape, c_at, block, TILE))
    finish_runs(true, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
  else
    finish_runs(false, shape, alpha, beta, c, c_at, block, item, SUMS / CONTIGUOUS, sum);
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
  const uint memory = LOCAL_ADDRESS(stages), arrived = LOCAL_ADDRESS(barriers), used = arrived + 8 * STAGES;
  if (item == 0) {
    make_barriers(arrived, 2);
    make_barriers(used, SUMMERS / WARP);
    publish_barriers();
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint steps = shape.k == 0 ? 0 : work.steps;
  uint stage = 0, phase = 0, done = 0;

  if (item >= SUMMERS) {
    FEWER_REGISTERS(24);
    const uint copier = warp - SUMMERS / WARP;
    global uchar* map = maps + ((ulong)get_group_id(0) * 2 + copier) * BYTES_OF_MAP;
    if (copier == 0) {
      MAKE_MAP(map, drafts[0], a + a_at.offset, shape.m, shape.k, a_at.row, a_at.column, A_ALONG_K, A_INNER, TILE,
               TILE_K, sizeof(number), MAP_OF_8_BYTES, A_SWIZZLE);
    } else if (copier == 1) {
      MAKE_MAP(map, drafts[1], b + b_at.offset, shape.n, shape.k, b_at.column, b_at.row, B_ALONG_K, B_INNER, TILE,
               TILE_K, sizeof(number), MAP_OF_8_BYTES, B_SWIZZLE);
    }
    if (lane > 0 || copier > 1 || steps == 0) return;
    phase = 1;
    do {
      const Segment segment = segment_at(work, done);
      const uint2 block = block_at(segment.block, work.down, work.across);
#pragma unroll 1
      for (uint step = segment.first; step < segment.first + segment.count; step++) {
        const uint to = memory + stage * STAGE_BYTES, here = arrived + 8 * stage;
        WAIT_FOR_STAGE(used + 8 * stage, phase);
        if (copier == 0) {
          expect_bytes(here, A_NUMBERS * sizeof(number));
          copy_tile(to, map, A_ALONG_K, A_INNER, TILE, TILE_K, block.x * TILE, step * TILE_K, sizeof(number), here);
        } else {
          expect_bytes(here, (STAGE_NUMBERS - A_NUMBERS) * sizeof(number));
          copy_tile(to + A_NUMBERS * sizeof(number), map, B_ALONG_K, B_INNER, TILE, TILE_K, block.y * TILE,
                    step * TILE_K, sizeof(number), here);
        }
        advance(&stage, &phase);
      }
      done += segment.count;
    } while (done < steps_of_group(work));
    return;
  }

#if TILE == 128
  MORE_REGISTERS(240);
#else
  MORE_REGISTERS(216);
#endif
  // The warp's rows of A and columns of B in a stage.
  const uint a_here = memory + top_of_warp(warp) * (A_ALONG_K ? 8 : TILE_K) * sizeof(number);
  const uint b_here = memory + (A_NUMBERS + left_of_warp(warp) * (B_ALONG_K ? 8 : TILE_K)) * sizeof(number);
  const uint x_here = B_IS_X ? b_here : a_here, y_here = B_IS_X ? a_here : b_here;
  do {
    const Segment segment = segment_at(work, done);
    const uint count = min(segment.count, steps);
    number sum[SUMS], x[2][X_PART], y[2][Y_PART];
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;
    if (count > 0) {
      WAIT_FOR_STAGE(arrived + 8 * stage, phase);
      LOAD_X(x[0], x_here + stage * STAGE_BYTES, lane, 0);
      LOAD_Y(y[0], y_here + stage * STAGE_BYTES, lane, 0);
    }
    for (uint step = 0; step < count; step++) {
      uint x_tile = x_here + stage * STAGE_BYTES, y_tile = y_here + stage * STAGE_BYTES;
      const uint used_here = used + 8 * stage;
#pragma unroll
      for (uint s = 0; s < STEPS; s++) {
        if (s + 1 == STEPS) {
          advance(&stage, &phase);
          if (step + 1 < count) WAIT_FOR_STAGE(arrived + 8 * stage, phase);
          x_tile = x_here + stage * STAGE_BYTES;  // after the last step, numbers that no one uses
          y_tile = y_here + stage * STAGE_BYTES;
        }
        LOAD_X(x[(s + 1) % 2], x_tile, lane, (s + 1) % STEPS);
        LOAD_Y(y[(s + 1) % 2], y_tile, lane, (s + 1) % STEPS);
        multiply_parts(sum, x[s % 2], y[s % 2]);
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
  number sums[CONTIGUOUS];
  const ulong2 at = place_of_run(block, item, run);
  if (join_run(work, shared, parts, sums, run, SUMS, SUMMERS, item))
    update_run(has_whole_runs(shape, c_at, block, TILE), shape, alpha, beta, c, c_at, at.x, at.y, sums);
}
