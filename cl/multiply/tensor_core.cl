// C = alpha * A * B + beta * C of halves or bfloat16s on the tensor cores of NVIDIA's GPUs from Ampere on, summed in
// float. A work-group of four warps computes TILE_M x TILE_N elements of C. Tiles of A and B pass through local memory
// by asynchronous copies if rows begin at multiples of 16 bytes, else through registers.
//   TILE_M, TILE_N  multiples of 64
//   STAGES          tiles in flight
//   A_ALONG_K, B_ALONG_K  1: adjacent numbers in memory are neighbours along k; else across it
// Any m, n, k: elements outside of an operand are staged as zero.

#include "common/block_order.cl"
#include "common/async_copies.cl"
#include "nvidia/halves.cl"
#include "nvidia/exchange.cl"
#include "nvidia/runs.cl"
#include "nvidia/mma.cl"

#define WARP 32
#define ITEMS 128
#define TILE_K 64
#define WARP_M (TILE_M / 2)
#define WARP_N (TILE_N / 2)
#define BLOCKS_M (WARP_M / 16)  // of a warp
#define BLOCKS_N (WARP_N / 8)
#define SUMS (BLOCKS_M * BLOCKS_N * 4)  // of a work-item
#define LINE 64                         // numbers beside each other in a tile, 8 pieces of 16 bytes
#define STAGE_BYTES ((TILE_M + TILE_N) * TILE_K * 2)

// A tile is lines of numbers along k, one for each row of A, or column of B; or lines across k, TILE_K of them for each
// LINE of width. Pieces of a line are exchanged, so that equal pieces of 8 lines are in different banks.
static inline uint place_of_piece(const uint line, const uint piece) { return line * 128 + (piece ^ line % 8) * 16; }

// Tile of an operand whose lines are `pitch` apart in memory: `depth` steps along k and `extent` rows or columns of it
// exist.
typedef struct {
  global const ushort* from;
  ulong pitch;
  uint depth, extent;
} Tile;

// A tile to `to` in local memory.
inlined void fetch(const Tile tile, const uint width, const bool along_k, const bool aligned, local uchar* to) {
  // Not unrolled: the addresses would take half of the registers, and as many work-groups their places.
#pragma unroll 1
  for (uint e = 0; e < width * 8 / ITEMS; e++) {
    const uint number_ = e * ITEMS + get_local_id(0), line = number_ / 8, piece = number_ % 8;
    const uint in_memory = along_k ? line : line % TILE_K;  // of lines
    const uint first = (along_k ? 0 : line / TILE_K * LINE) + piece * 8;
    const uint lines = along_k ? tile.extent : tile.depth, length = along_k ? tile.depth : tile.extent;
    const uint count = in_memory < lines && first < length ? min(length - first, 8u) : 0;
    global const ushort* from = tile.from + in_memory * tile.pitch + first;
    local uchar* place = to + place_of_piece(line, piece);
    if (aligned) {
      COPY_PIECE_LATER(LOCAL_ADDRESS(place), count > 0 ? from : tile.from, 2 * count);
    } else {
      uint words[4];
#pragma unroll
      for (uint w = 0; w < 4; w++)
        words[w] = (2 * w < count ? from[2 * w] : 0) | (uint)(2 * w + 1 < count ? from[2 * w + 1] : 0) << 16;
      *(local uint4*)place = (uint4)(words[0], words[1], words[2], words[3]);
    }
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

// A warp's sums to C, from row i0 and column j0 on. In the usual case four lanes exchange their runs of four blocks, so
// that each stores 16 bytes.
inlined void finish(const bool whole, const Shape shape, const number alpha, const number beta, global output* c,
                    const Layout c_at, const ulong i0, const ulong j0, const uint lane, float sum[SUMS]) {
  const ulong i = i0 + lane / 4;
#if OUTPUT == 0
  const bool whole_runs = whole && (c_at.offset | c_at.row) % CONTIGUOUS == 0;
#else
  const bool whole_runs = false;
#endif
#define ROW_OF_RUN(run) (i + (run) / 2 / BLOCKS_N * 16 + (run) % 2 * 8)
#define COLUMN_OF_RUN(run) (j0 + (run) / 2 % BLOCKS_N * 8 + lane % 4 * 2)
  if (beta != 0) {
#pragma unroll
    for (uint run = 0; run < SUMS / CONTIGUOUS; run++)
      add_old_run(whole_runs, shape, alpha, beta, c, c_at, ROW_OF_RUN(run), COLUMN_OF_RUN(run), sum + run * CONTIGUOUS);
  }
  const number factor = beta == 0 ? alpha : 1;
#if OUTPUT != 0
  if (whole && (c_at.offset | c_at.row) % 8 == 0) {
    global output* to = c + c_at.offset + i * c_at.row + j0 + lane % 4 * 8;
#pragma unroll
    for (uint row = 0; row < 2 * BLOCKS_M; row++) {
#pragma unroll
      for (uint block = 0; block < BLOCKS_N; block += 4) {
        const float* first = sum + (row / 2 * BLOCKS_N + block) * 4 + row % 2 * 2;
        uint run[4];
#pragma unroll
        for (uint r = 0; r < 4; r++) run[r] = two_shorts(factor * first[4 * r], factor * first[4 * r + 1]);
        EXCHANGE(run[0], run[1], 1, lane);
        EXCHANGE(run[2], run[3], 1, lane);
        EXCHANGE(run[0], run[2], 2, lane);
        EXCHANGE(run[1], run[3], 2, lane);
        *(global uint4*)(to + row * 8 * c_at.row + block * 8) = (uint4)(run[0], run[1], run[2], run[3]);
      }
    }
    return;
  }
#endif
#pragma unroll
  for (uint run = 0; run < SUMS / CONTIGUOUS; run++)
    update_run(whole_runs, shape, factor, 0, c, c_at, ROW_OF_RUN(run), COLUMN_OF_RUN(run), sum + run * CONTIGUOUS);
}

// The tile of A or B at a step of the depth; after the last one, zeros.
static inline Tile tile_at(global const ushort* from, const ulong pitch, const bool along_k, const uint step,
                           const ulong k, const uint extent) {
  const ulong p = (ulong)step * TILE_K;
  return (Tile){from + (along_k ? p : p * pitch), pitch, p < k ? (uint)min(k - p, (ulong)TILE_K) : 0, extent};
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_tensor_core(const Shape shape, const number alpha, const number beta, const uint down, const uint across,
                          global const ushort* restrict a, const Layout a_at,  // m x k
                          global const ushort* restrict b, const Layout b_at,  // k x n
                          global output* restrict c, const Layout c_at) {     // m x n
  local uchar stages[STAGES][STAGE_BYTES] __attribute__((aligned(128)));
  const uint item = get_local_id(0), lane = item % WARP, warp = item / WARP;
  const uint2 block = block_at(get_group_id(0), down, across);
  const ulong i = (ulong)block.x * TILE_M, j = (ulong)block.y * TILE_N;
  const uint rows = (uint)min(shape.m - i, (ulong)TILE_M), columns = (uint)min(shape.n - j, (ulong)TILE_N);
  const uint steps = (uint)((shape.k + TILE_K - 1) / TILE_K);
  const ulong a_pitch = A_ALONG_K ? a_at.row : a_at.column, b_pitch = B_ALONG_K ? b_at.column : b_at.row;
  global const ushort* a_from = a + start_of(a_at) + i * a_at.row;
  global const ushort* b_from = b + start_of(b_at) + j * b_at.column;
  const bool a_aligned = (start_of(a_at) | a_pitch) % 8 == 0, b_aligned = (start_of(b_at) | b_pitch) % 8 == 0;
  const uint top = warp / 2 * WARP_M, left = warp % 2 * WARP_N;
  float sum[SUMS];
#pragma unroll
  for (uint e = 0; e < SUMS; e++) sum[e] = 0;

#define FETCH(step, stage)                                                                                         \
  do {                                                                                                             \
    if ((step) < steps) {                                                                                          \
      fetch(tile_at(a_from, a_pitch, A_ALONG_K, step, shape.k, rows), TILE_M, A_ALONG_K, a_aligned, stages[stage]); \
      fetch(tile_at(b_from, b_pitch, B_ALONG_K, step, shape.k, columns), TILE_N, B_ALONG_K, b_aligned,             \
            stages[stage] + TILE_M * TILE_K * 2);                                                                  \
    }                                                                                                              \
    CLOSE_GROUP();                                                                                                 \
  } while (0)
#pragma unroll
  for (uint step = 0; step < STAGES - 1; step++) FETCH(step, step);
  uint now = 0, next = STAGES - 1;
  for (uint step = 0; step < steps; step++) {
    WAIT_FOR_GROUPS(STAGES - 2);
    barrier(CLK_LOCAL_MEM_FENCE);  // all have waited for this stage, and read the one that is next
    FETCH(step + STAGES - 1, next);
    const uint tile = LOCAL_ADDRESS(stages[now]);
    multiply_tile(sum, tile, tile + TILE_M * TILE_K * 2, top, left, lane);
    now = now + 1 < STAGES ? now + 1 : 0;
    next = next + 1 < STAGES ? next + 1 : 0;
  }
  const Layout c_here = {start_of(c_at), c_at.row, 1, 0};
  finish(rows == TILE_M && columns == TILE_N, shape, alpha, beta, c, c_here, i + top, j + left, lane, sum);
}
