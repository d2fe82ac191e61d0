// C = alpha * A * B + beta * C of halves or bfloat16s on the tensor cores of NVIDIA's GPUs from Ampere on, summed in
// float. A work-group of four warps computes blocks of TILE_M x TILE_N elements of C. Tiles of A and B pass through
// local memory by asynchronous copies of 16 aligned bytes. Lines of tiles that do not begin at multiples of 16 bytes
// are shifted there. If C has few blocks, work-groups split k.
//   TILE_M, TILE_N  64 or 128
//   STAGES          tiles in flight
//   A_ALONG_K, B_ALONG_K  1: adjacent numbers in memory are neighbours along k; else across it
// Any m, n, k: elements outside of an operand are staged as zero.

#include "common/block_order.cl"
#include "common/async_copies.cl"
#include "nvidia/half_groups.cl"
#include "nvidia/runs.cl"
#include "nvidia/mma.cl"
#include "common/stream_k.cl"

#define WARP 32
#define ITEMS 128
#define TILE_K 64
#define WARP_M (TILE_M / 2)
#define WARP_N (TILE_N / 2)
#define BLOCKS_M (WARP_M / 16)  // of a warp
#define BLOCKS_N (WARP_N / 8)
#define SUMS (BLOCKS_M * BLOCKS_N * 4)  // of a work-item
#define LINE 64  // numbers beside each other in a tile, 8 pieces of 16 bytes
#define STAGE_BYTES ((TILE_M + TILE_N) * TILE_K / LINE * LINE_BYTES)
// A piece more, for the end of a line that does not begin with a piece. It also puts equal pieces of 8 lines into
// different banks.
#define LINE_BYTES (9 * 16)

// A tile is lines of numbers along k, one for each row of A, or column of B; or lines across k, TILE_K of them for each
// LINE of width. A warp fetches a quarter of them.
static inline uint place_of_piece(const uint line, const uint piece) { return line * LINE_BYTES + piece * 16; }

// Tile of an operand whose lines are `pitch` apart in memory: `depth` steps along k and `extent` rows or columns of it
// exist.
typedef struct {
  global const ushort* from;
  ulong pitch;
  uint depth, extent;
} Tile;

#define SYNCHRONIZE_WARP() asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#define LINES_OF_WARP(width) ((width) / (ITEMS / WARP))

// Line `line` of a tile in memory. A line that does not begin at a multiple of 16 bytes is fetched from the one before.
static inline global const ushort* line_at(const Tile tile, const bool along_k, const uint line) {
  return along_k ? tile.from + line * tile.pitch : tile.from + line % TILE_K * tile.pitch + line / TILE_K * LINE;
}
static inline uint shift_of(const ulong address) { return (uint)address % 16; }  // in bytes

// Piece `piece` of a line of `bytes` bytes at `address`, to `to`, the beginning of the line there.
inlined void fetch_piece(const ulong address, const uint bytes, const uint piece, const uint to) {
  const int left = (int)(shift_of(address) + bytes) - (int)piece * 16;
  COPY_BYTES_LATER(to + piece * 16, (address & ~15ul) + piece * 16, bytes == 0 ? 0 : clamp(left, 0, 16));
}

// A warp's lines of a tile to `to` in local memory. If not `aligned`, each is to be shifted there.
inlined void fetch(const Tile tile, const uint width, const bool along_k, const bool aligned, const uint to) {
  const uint first = get_local_id(0) / WARP * LINES_OF_WARP(width), lane = get_local_id(0) % WARP;
  const uint begin = along_k ? 0 : first / TILE_K * LINE, length = along_k ? tile.depth : tile.extent;
  const uint bytes = begin < length ? min(length - begin, (uint)LINE) * 2 : 0;
  const uint lines = along_k ? tile.extent : tile.depth, in_memory = along_k ? first : first % TILE_K;
  const ulong step = WARP / 8 * 2 * tile.pitch;
  ulong address = (ulong)line_at(tile, along_k, first + lane / 8);
  uint place = to + (first + lane / 8) * LINE_BYTES;
  if (bytes == LINE * 2 && in_memory + LINES_OF_WARP(width) <= lines) {
#pragma unroll
    for (uint l = 0; l < LINES_OF_WARP(width); l += WARP / 8, address += step)
      COPY_PIECE_LATER(place + l * LINE_BYTES + lane % 8 * 16, (address & ~15ul) + lane % 8 * 16);
  } else {
#pragma unroll 1
    for (uint l = lane / 8; l < LINES_OF_WARP(width); l += WARP / 8, address += step, place += WARP / 8 * LINE_BYTES)
      fetch_piece(address, in_memory + l < lines ? bytes : 0, lane % 8, place);
  }
  if (!aligned && lane < LINES_OF_WARP(width))
    fetch_piece((ulong)line_at(tile, along_k, first + lane), in_memory + lane < lines ? bytes : 0, 8,
                to + (first + lane) * LINE_BYTES);
}

// The 32 bits from bit `bits` on of two adjacent words.
#define SHIFTED(word, next, bits) ((uint)(((ulong)(next) << 32 | (word)) >> (bits)))

// Shifts a warp's lines to the beginning of their first pieces.
inlined void shift_lines(const Tile tile, const uint width, const bool along_k, local uchar* at) {
  const uint first_line = get_local_id(0) / WARP * LINES_OF_WARP(width), lane = get_local_id(0) % WARP;
  uint address = (uint)(ulong)line_at(tile, along_k, first_line + lane / 8);
  local uchar* to = at + place_of_piece(first_line + lane / 8, lane % 8);
  SYNCHRONIZE_WARP();
#pragma unroll 2
  for (uint l = 0; l < LINES_OF_WARP(width); l += WARP / 8) {
    const uint shift = shift_of(address) / 2;
    local uint4* place = (local uint4*)to;
    const uint4 first = place[0], second = place[1];
    const bool by_4 = (shift & 4) != 0, by_2 = (shift & 2) != 0;
    const uint4 low = by_4 ? (uint4)(first.zw, second.xy) : first;
    const uint2 high = by_4 ? second.zw : second.xy;
    const uint4 words = by_2 ? (uint4)(low.yzw, high.x) : low;
    const uint last = by_2 ? high.y : high.x, bits = shift & 1 ? 16 : 0;
    SYNCHRONIZE_WARP();
    *place = (uint4)(SHIFTED(words.x, words.y, bits), SHIFTED(words.y, words.z, bits),
                     SHIFTED(words.z, words.w, bits), SHIFTED(words.w, last, bits));
    address += WARP / 8 * 2 * (uint)tile.pitch;
    to += WARP / 8 * LINE_BYTES;
  }
}

// The address of a lane's row of four matrices, of rows or columns from w on and of step `step` of 16 of the depth:
// matrix q is 8 * (q / w_step % 2) rows or columns and 8 * (q / k_step % 2) of the depth further.
static inline uint address_of_matrix(const uint tile, const uint lane, const bool along_k, const uint w,
                                     const uint step, const uint w_step, const uint k_step) {
  const uint q = lane / 8, r = lane % 8, at_w = w + q / w_step % 2 * 8, at_k = step * 16 + q / k_step % 2 * 8;
  return tile + (along_k ? place_of_piece(at_w + r, at_k / 8)
                         : place_of_piece(at_w / LINE * TILE_K + at_k + r, at_w % LINE / 8));
}

inlined void multiply_tile(float sum[SUMS], const uint a_tile, const uint b_tile, const uint top, const uint left,
                           const uint lane) {
#pragma unroll
  for (uint step = 0; step < TILE_K / 16; step++) {
    uint a[BLOCKS_M][4], b[BLOCKS_N][2];
#pragma unroll
    for (uint r = 0; r < BLOCKS_M; r++)
      load_matrices(a[r], address_of_matrix(a_tile, lane, A_ALONG_K, top + 16 * r, step, 1, 2), !A_ALONG_K);
#pragma unroll
    for (uint r = 0; r < BLOCKS_N; r += 2) {
      uint both[4];
      load_matrices(both, address_of_matrix(b_tile, lane, B_ALONG_K, left + 8 * r, step, 2, 1), !B_ALONG_K);
      b[r][0] = both[0], b[r][1] = both[1];
      b[r + 1][0] = both[2], b[r + 1][1] = both[3];
    }
#pragma unroll
    for (uint e = 0; e < BLOCKS_M * BLOCKS_N; e++) multiply_halves(sum + 4 * e, a[e / BLOCKS_N], b[e % BLOCKS_N]);
  }
}

#define PLACES_OF_WARP (16 * (WARP_N + 1))

// A warp's sums to C, from row i0 and column j0 on, by way of its `places` in local memory, so that neighbours store
// neighbours. All old numbers of 16 rows are loaded at once.
inlined void finish_rows(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                         const ulong i0, const ulong j0, const uint lane, local number* places,
                         const number sum[SUMS]) {
#pragma unroll
  for (uint r = 0; r < BLOCKS_M; r++) {
    const ulong i = i0 + r * 16;
#pragma unroll
    for (uint e = 0; e < BLOCKS_N * 4; e++)
      places[(lane / 4 + e / 2 % 2 * 8) * (WARP_N + 1) + e / 4 * 8 + lane % 4 * 2 + e % 2] = sum[r * BLOCKS_N * 4 + e];
    SYNCHRONIZE_WARP();
#pragma unroll
    for (uint column = lane; column < WARP_N; column += WARP) {
      const uint rows = j0 + column < shape.n && i < shape.m ? (uint)min(shape.m - i, 16ul) : 0;
      global output* to = c + c_at.offset + i * c_at.row + j0 + column;
      number results[16];
#pragma unroll
      for (uint row = 0; row < 16; row++) results[row] = alpha * places[row * (WARP_N + 1) + column];
      if (beta != 0) {
        global const output* from = to;
#pragma unroll
        for (uint row = 0; row < 16; row++, from += c_at.row)
          results[row] = MULTIPLY_ADD(beta, row < rows ? LOAD_OUTPUT(from, 0) : 0, results[row]);
      }
#pragma unroll
      for (uint row = 0; row < 16; row++, to += c_at.row)
        if (row < rows) STORE_OUTPUT(results[row], to, 0);
    }
    SYNCHRONIZE_WARP();
  }
}

// The same where all of the warp's rows exist, and C is aligned to WIDTH numbers: several at once.
#define ROW_OF_RUN(run) (i + (run) / 2 / BLOCKS_N * 16 + (run) % 2 * 8)
#define COLUMN_OF_RUN(run) (j0 + (run) / 2 % BLOCKS_N * 8 + lane % 4 * 2)
#if OUTPUT == 0
#define WIDTH CONTIGUOUS
#else
#define WIDTH 8
#endif
inlined void finish_whole(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                          const ulong i0, const ulong j0, const uint lane, number sum[SUMS]) {
  const ulong i = i0 + lane / 4;
  const number factor = beta == 0 ? alpha : 1;
#if OUTPUT == 0
  if (beta != 0) {
#pragma unroll
    for (uint run = 0; run < SUMS / CONTIGUOUS; run++)
      add_old_run(true, shape, alpha, beta, c, c_at, ROW_OF_RUN(run), COLUMN_OF_RUN(run), sum + run * CONTIGUOUS);
  }
#pragma unroll
  for (uint run = 0; run < SUMS / CONTIGUOUS; run++)
    update_run(true, shape, factor, 0, c, c_at, ROW_OF_RUN(run), COLUMN_OF_RUN(run), sum + run * CONTIGUOUS);
#else
#define GROUPS (SUMS / 8)  // of a lane: one for each of its rows of every four blocks
#define ROW_OF_GROUP(g) ((g) * 4 / BLOCKS_N)
#define FIRST_OF_GROUP(g) (sum + (ROW_OF_GROUP(g) / 2 * BLOCKS_N + (g) * 4 % BLOCKS_N) * 4 + ROW_OF_GROUP(g) % 2 * 2)
#define PLACE_OF_GROUP(g) (to + ROW_OF_GROUP(g) * 8 * c_at.row + (g) * 4 % BLOCKS_N * 8)
  global output* to = c + c_at.offset + i * c_at.row + j0 + lane % 4 * 8;
  if (beta != 0) {
    uint4 old[GROUPS];
#pragma unroll
    for (uint g = 0; g < GROUPS; g++) old[g] = *(global const uint4*)PLACE_OF_GROUP(g);
#pragma unroll
    for (uint g = 0; g < GROUPS; g++) add_old_group(old[g], alpha, beta, FIRST_OF_GROUP(g), lane);
  }
#pragma unroll
  for (uint g = 0; g < GROUPS; g++)
    *(global uint4*)PLACE_OF_GROUP(g) = group_of_lane(factor, FIRST_OF_GROUP(g), lane);
#endif
}

// Row and column of C of a warp's first sum.
static inline ulong2 place_of_warp(const uint2 block, const uint item) {
  const uint warp = item / WARP;
  return (ulong2)((ulong)block.x * TILE_M + warp / 2 * WARP_M, (ulong)block.y * TILE_N + warp % 2 * WARP_N);
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_tensor_core(const Shape shape, const number alpha, const number beta, const Work work,
                          global const ushort* restrict a, const Layout a_at,  // m x k
                          global const ushort* restrict b, const Layout b_at,  // k x n
                          global output* restrict c, const Layout c_at,      // m x n
                          global number* parts, global uint* counters) {
  local uchar stages[STAGES][STAGE_BYTES] __attribute__((aligned(128)));
  local uint told;
  const uint item = get_local_id(0), lane = item % WARP;
  const ulong a_pitch = A_ALONG_K ? a_at.row : a_at.column, b_pitch = B_ALONG_K ? b_at.column : b_at.row;
  const bool a_aligned = (start_of(a_at) | a_pitch) % 8 == 0, b_aligned = (start_of(b_at) | b_pitch) % 8 == 0;
  const Layout c_here = {start_of(c_at), c_at.row, 1, 0};
  uint done = 0;
  do {
    const Segment segment = segment_at(work, done);
    const uint2 block = block_at(segment.block, work.down, work.across);
    const ulong i = (ulong)block.x * TILE_M, j = (ulong)block.y * TILE_N;
    const uint rows = (uint)min(shape.m - i, (ulong)TILE_M), columns = (uint)min(shape.n - j, (ulong)TILE_N);
    const uint steps = shape.k == 0 ? 0 : segment.count;
    const ulong first = (ulong)segment.first * TILE_K;
    Tile of_a = {a + start_of(a_at) + i * a_at.row + first * a_at.column, a_pitch, 0, rows};
    Tile of_b = {b + start_of(b_at) + first * b_at.row + j * b_at.column, b_pitch, 0, columns};
    float sum[SUMS];
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;

#define B_PLACE (TILE_M * TILE_K / LINE * LINE_BYTES)
    ulong left = first < shape.k ? shape.k - first : 0;  // of k, from the next tiles on
    uint now = 0, next = 0;
    // Code that has not run yet comes slowly from memory: the first tiles are fetched in this loop, not before it.
#pragma unroll 1
    for (uint step = 0; step < steps + STAGES - 1; step++) {
      if (step >= STAGES - 1) {
        WAIT_FOR_GROUPS(STAGES - 2);
        // All tiles of an operand are shifted alike: they are multiples of 16 bytes apart.
        if (!a_aligned) shift_lines(of_a, TILE_M, A_ALONG_K, stages[now]);
        if (!b_aligned) shift_lines(of_b, TILE_N, B_ALONG_K, stages[now] + B_PLACE);
        barrier(CLK_LOCAL_MEM_FENCE);  // all have waited for this stage, and read the one that is next
      }
      if (step < steps) {
        of_a.depth = of_b.depth = (uint)min(left, (ulong)TILE_K);
        fetch(of_a, TILE_M, A_ALONG_K, a_aligned, LOCAL_ADDRESS(stages[next]));
        fetch(of_b, TILE_N, B_ALONG_K, b_aligned, LOCAL_ADDRESS(stages[next]) + B_PLACE);
        of_a.from += TILE_K * a_at.column;
        of_b.from += TILE_K * b_at.row;
        left -= of_a.depth;
      }
      CLOSE_GROUP();
      next = next + 1 < STAGES ? next + 1 : 0;
      if (step >= STAGES - 1) {
        const uint tile = LOCAL_ADDRESS(stages[now]), warp = item / WARP;
        multiply_tile(sum, tile, tile + B_PLACE, warp / 2 * WARP_M, warp % 2 * WARP_N, lane);
        now = now + 1 < STAGES ? now + 1 : 0;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // all have read the last stage
    if (has_all_sums(work, segment, parts, counters, &told, sum, SUMS, ITEMS, item)) {
      const ulong2 at = place_of_warp(block, item);
      local number* places = (local number*)stages + item / WARP * PLACES_OF_WARP;
      if (rows == TILE_M && columns == TILE_N && (c_here.offset | c_here.row) % WIDTH == 0)
        finish_whole(shape, alpha, beta, c, c_here, at.x, at.y, lane, sum);
      else
        finish_rows(shape, alpha, beta, c, c_here, at.x, at.y, lane, places, sum);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    done += segment.count;
  } while (done < steps_of_group(work));
}

// Finishes the blocks of several sharers: a work-group for each run of the work-items.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_tensor_core_join(const Shape shape, const number alpha, const number beta, const Work work,
                               global const number* restrict parts, global output* restrict c, const Layout c_at) {
  const uint item = get_local_id(0), lane = item % WARP, run = get_group_id(0), shared = get_group_id(1);
  const ulong2 at = place_of_warp(block_at(own_blocks(work) + shared, work.down, work.across), item);
  const ulong i = at.x + lane / 4, j0 = at.y;
  number sums[CONTIGUOUS];
  if (join_run(work, shared, parts, sums, run, SUMS, ITEMS, item))
    update_run(false, shape, alpha, beta, c, c_at, ROW_OF_RUN(run), COLUMN_OF_RUN(run), sums);
}
