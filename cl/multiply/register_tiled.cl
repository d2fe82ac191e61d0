// C = alpha * A * B + beta * C for GPUs: a work-group owns TILE_M x TILE_N elements of C, each work-item
// WORK_M x WORK_N of them in registers. Blocks of A and B, TILE_K deep, pass through local memory in
// two buffers: the next block is fetched while this one is used.
//   TILE_M, TILE_N, TILE_K  block of a work-group
//   WORK_M, WORK_N          block of a work-item, multiples of 4
// TILE_M / WORK_M * TILE_N / WORK_N work-items in dimension 0, which divide TILE_M * TILE_K and
// TILE_N * TILE_K. Any m, n, k: what lies outside is staged as zero.
// Loops of a known length are unrolled, for GPUs' registers and for PoCL, which otherwise splits them at
// barriers of its own and now and then (6.0, a cold compile in four) takes a work-item's variable that lives
// on past one for the same in all.

#if !defined(TILE_M) || !defined(TILE_N) || !defined(TILE_K)
#error "TILE_M, TILE_N or TILE_K is not defined"
#endif
#if !defined(WORK_M) || !defined(WORK_N)
#error "WORK_M or WORK_N is not defined"
#endif

#define ITEMS_M (TILE_M / WORK_M)
#define ITEMS_N (TILE_N / WORK_N)
#define ITEMS (ITEMS_M * ITEMS_N)
#define PAD 4  // keeps rows of a buffer apart in the banks of local memory

// Place of the piece number `piece` of this work-item in a block of TILE_K x width elements. Neighbours
// in the work-group take neighbours in global memory: along k where that is contiguous.
static inline uint2 place_of(const uint piece, const uint width, const bool along_k) {
  const uint e = get_local_id(0) + piece * ITEMS;
  return along_k ? (uint2)(e % TILE_K, e / TILE_K) : (uint2)(e / width, e % width);
}

// Pieces of a block from global memory, which starts at p = p0: element (p, o) of the operand is
// x[p * k_stride + o * stride], and zero from k and left on.
static inline void fetch(number* pieces, const uint width, global const element* x, const ulong p0, const ulong k,
                  const ulong k_stride, const ulong left, const ulong stride) {
#pragma unroll
  for (uint piece = 0; piece < width * TILE_K / ITEMS; piece++) {
    const uint2 place = place_of(piece, width, k_stride == 1);
    const bool inside = p0 + place.x < k && place.y < left;
    pieces[piece] = inside ? load(x, (p0 + place.x) * k_stride + place.y * stride) : 0;
  }
}

// The pieces into local memory, as rows of width elements of the same p.
static inline void stage(const number* pieces, const uint width, local number* block, const ulong k_stride) {
#pragma unroll
  for (uint piece = 0; piece < width * TILE_K / ITEMS; piece++) {
    const uint2 place = place_of(piece, width, k_stride == 1);
    block[place.x * (width + PAD) + place.y] = pieces[piece];
  }
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_register_tiled(const Shape shape, const number alpha, const number beta,
                             global const element* restrict a, const Layout a_at,  // m x k
                             global const element* restrict b, const Layout b_at,  // k x n
                             global element* restrict c, const Layout c_at) {      // m x n
  local number a_blocks[2][TILE_K * (TILE_M + PAD)], b_blocks[2][TILE_K * (TILE_N + PAD)];
  number a_pieces[TILE_M * TILE_K / ITEMS], b_pieces[TILE_N * TILE_K / ITEMS];
  const ulong i = get_group_id(1) * TILE_M, j = get_group_id(0) * TILE_N;
  // A work-item's rows and columns come in fours, ITEMS_M and ITEMS_N fours apart.
  const uint row = get_local_id(0) / ITEMS_N * 4, column = get_local_id(0) % ITEMS_N * 4;
  a += a_at.offset + i * a_at.row;
  b += b_at.offset + j * b_at.column;

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
    fetch(a_pieces, TILE_M, a, tile + TILE_K, shape.k, a_at.column, shape.m - i, a_at.row);
    fetch(b_pieces, TILE_N, b, tile + TILE_K, shape.k, b_at.row, shape.n - j, b_at.column);
#pragma unroll
    for (uint p = 0; p < TILE_K; p++) {
      number a_part[WORK_M], b_part[WORK_N];
#pragma unroll
      for (uint r = 0; r < WORK_M; r++) {
        a_part[r] = a_blocks[now][p * (TILE_M + PAD) + row + r / 4 * (4 * ITEMS_M) + r % 4];
      }
#pragma unroll
      for (uint q = 0; q < WORK_N; q++) {
        b_part[q] = b_blocks[now][p * (TILE_N + PAD) + column + q / 4 * (4 * ITEMS_N) + q % 4];
      }
#pragma unroll
      for (uint r = 0; r < WORK_M; r++) {
#pragma unroll
        for (uint q = 0; q < WORK_N; q++) sum[r][q] = multiply_add(a_part[r], b_part[q], sum[r][q]);
      }
    }
    // The other buffer was last read before the barrier of the previous round.
    now ^= 1;
    stage(a_pieces, TILE_M, a_blocks[now], a_at.column);
    stage(b_pieces, TILE_N, b_blocks[now], b_at.row);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (uint r = 0; r < WORK_M; r++) {
#pragma unroll
    for (uint q = 0; q < WORK_N; q++) {
      const ulong ci = i + row + r / 4 * (4 * ITEMS_M) + r % 4, cj = j + column + q / 4 * (4 * ITEMS_N) + q % 4;
      if (ci < shape.m && cj < shape.n) update(c, c_at, ci, cj, alpha, sum[r][q], beta);
    }
  }
}
