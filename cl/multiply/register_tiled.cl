// C = alpha * A * B + beta * C for GPUs: a work-group owns TILE_M x TILE_N elements of C, each work-item
// WORK_M x WORK_N of them in registers. Blocks of A and B, TILE_K deep, pass through local memory.
//   TILE_M, TILE_N, TILE_K, WORK_M, WORK_N, VECTOR, PAD  see common/staging.cl
//   CONTIGUOUS  adjacent rows, and columns, of a work-item: a multiple of VECTOR that divides WORK_M and WORK_N
//   WARP_N      columns of the bands in which work-items are counted: a warp of 32 is 32 / WARP_N x WARP_N of them
//   STAGES      tiles of an operand in flight: 1, fetched when needed; 2, the next one meanwhile in registers; 3, the
//               next one stored to a second block of local memory, which saves a barrier
//   SWIZZLE     see common/block_order.cl
//   UNROLL      steps along TILE_K without a branch; divides it, and equals it on PoCL: see common/staging.cl
// ITEMS work-items in dimension 0. Any m, n, k: elements outside of the operands are staged as zero.

#include "common/product.cl"
#include "common/block_order.cl"
#include "common/staging.cl"

#if !defined(CONTIGUOUS) || !defined(WARP_N)
#error "CONTIGUOUS or WARP_N is not defined"
#endif
#if !defined(STAGES) || !defined(UNROLL)
#error "STAGES or UNROLL is not defined"
#endif

#define BLOCKS (STAGES == 3 ? 2 : 1)  // of an operand in local memory

// Place of number r of a work-item's WORK_M rows or WORK_N columns, behind its first.
static inline uint place_in_tile(const uint r, const uint items) {
  return r / CONTIGUOUS * (CONTIGUOUS * items) + r % CONTIGUOUS;
}

// A work-item's numbers in a row of a block.
static inline void load_part(number* part, const uint work, local const number* row, const uint items) {
#pragma unroll
  for (uint r = 0; r < work; r += VECTOR) {
#if VECTOR > 1
    STORE_PRIVATE(*(local const Numbers*)(row + place_in_tile(r, items)), part + r);
#else
    part[r] = row[place_in_tile(r, items)];
#endif
  }
}

// This work-item's place among ITEMS_M x ITEMS_N.
static inline uint2 place_of_item() {
  const uint item = get_local_id(0);
  if (WARP_N == ITEMS_N) return (uint2)(item / ITEMS_N, item % ITEMS_N);
  const uint band = item / (ITEMS_M * WARP_N), in_band = item % (ITEMS_M * WARP_N);
  return (uint2)(in_band / WARP_N, band * WARP_N + in_band % WARP_N);
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_register_tiled(const Shape shape, const number alpha, const number beta,
                             global const element* restrict a, const Layout a_at,  // m x k
                             global const element* restrict b, const Layout b_at,  // k x n
                             global output* restrict c, const Layout c_at) {      // m x n
  local number a_blocks[BLOCKS][TILE_K * (TILE_M + PAD)] __attribute__((aligned(VECTOR * sizeof(number))));
  local number b_blocks[BLOCKS][TILE_K * (TILE_N + PAD)] __attribute__((aligned(VECTOR * sizeof(number))));
  number a_pieces[TILE_M * TILE_K / ITEMS], b_pieces[TILE_N * TILE_K / ITEMS];
  const uint number_of_group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
  const uint2 block = block_at(number_of_group, get_num_groups(1), get_num_groups(0)), item = place_of_item();
  const ulong i = (ulong)block.x * TILE_M, j = (ulong)block.y * TILE_N;
  const uint row = item.x * CONTIGUOUS, column = item.y * CONTIGUOUS;
  a += start_of(a_at) + i * a_at.row;
  b += start_of(b_at) + j * b_at.column;

  number sum[WORK_M][WORK_N];
#pragma unroll
  for (uint r = 0; r < WORK_M; r++) {
#pragma unroll
    for (uint q = 0; q < WORK_N; q++) sum[r][q] = 0;
  }
  fetch(a_pieces, TILE_M, a, 0, shape.k, a_at.column, shape.m - i, a_at.row);
  fetch(b_pieces, TILE_N, b, 0, shape.k, b_at.row, shape.n - j, b_at.column);
  stage(a_pieces, TILE_M, a_blocks[0], a_at.column);
  stage(b_pieces, TILE_N, b_blocks[0], b_at.row);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint now = 0;
  for (ulong tile = 0; tile < shape.k; tile += TILE_K) {
    if (STAGES > 1) {
      fetch(a_pieces, TILE_M, a, tile + TILE_K, shape.k, a_at.column, shape.m - i, a_at.row);
      fetch(b_pieces, TILE_N, b, tile + TILE_K, shape.k, b_at.row, shape.n - j, b_at.column);
    }
#if UNROLL == TILE_K
#pragma unroll
#else
#pragma unroll UNROLL
#endif
    for (uint p = 0; p < TILE_K; p++) {
      number a_part[WORK_M], b_part[WORK_N];
      load_part(a_part, WORK_M, a_blocks[now] + p * (TILE_M + PAD) + row, ITEMS_M);
      load_part(b_part, WORK_N, b_blocks[now] + p * (TILE_N + PAD) + column, ITEMS_N);
#pragma unroll
      for (uint r = 0; r < WORK_M; r++) {
#pragma unroll
        for (uint q = 0; q < WORK_N; q++) sum[r][q] = MULTIPLY_ADD(a_part[r], b_part[q], sum[r][q]);
      }
    }
    if (STAGES == 1) {
      fetch(a_pieces, TILE_M, a, tile + TILE_K, shape.k, a_at.column, shape.m - i, a_at.row);
      fetch(b_pieces, TILE_N, b, tile + TILE_K, shape.k, b_at.row, shape.n - j, b_at.column);
    }
#if STAGES < 3
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    // A second block was last read before the barrier of the previous round.
    now ^= BLOCKS - 1;
    stage(a_pieces, TILE_M, a_blocks[now], a_at.column);
    stage(b_pieces, TILE_N, b_blocks[now], b_at.row);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (uint r = 0; r < WORK_M; r++) {
#pragma unroll
    for (uint q = 0; q < WORK_N; q++) {
      const ulong ci = i + row + place_in_tile(r, ITEMS_M), cj = j + column + place_in_tile(q, ITEMS_N);
      if (ci < shape.m && cj < shape.n) update(c, c_at, ci, cj, alpha, sum[r][q], beta);
    }
  }
}
