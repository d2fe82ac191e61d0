// C = alpha * A * B + beta * C for GPUs where C has few elements: a work-group computes blocks of TILE_M x TILE_N
// elements of C, a work-item WORK_M x WORK_N of them in registers. Tiles of A and B, TILE_K deep, pass through local
// memory, the next ones meanwhile on their own or through registers. The work-items of a group share out k too, in
// slices whose sums are added at the end in a fixed order; where C has fewer blocks than the device has room for
// work-groups, so do work-groups: see common/stream_k.cl.
//   TILE_M, TILE_N, TILE_K  powers of two of at most ITEMS
//   WORK_M, WORK_N          multiples of 4
//   STAGES                  tiles under way; 2 where they pass through registers
//   ASYNC                   1: on their own, see common/async_copies.cl
//   A_ALONG_K, B_ALONG_K    1: numbers along k lie beside each other in memory; else those across do
//   SLICES                  a power of two; slice s takes steps s * DEPTH to s * DEPTH + DEPTH - 1 of each tile
// Any m, n, k: what lies outside is staged as zero.

#define ITEMS_M (TILE_M / WORK_M)
#define ITEMS_N (TILE_N / WORK_N)
#define SLICE_ITEMS (ITEMS_M * ITEMS_N)
#define ITEMS (SLICES * SLICE_ITEMS)
#define SUMS (WORK_M * WORK_N)
#define DEPTH (TILE_K / SLICES)
#define PAD 4  // numbers between rows of a tile, against conflicts in local memory
#define A_PITCH (TILE_M + PAD)
#define B_PITCH (TILE_N + PAD)
#define STAGE_NUMBERS (TILE_K * (A_PITCH + B_PITCH))
#define PIECES(width) ((width) * TILE_K / ITEMS)  // numbers of a tile that a work-item fetches

typedef JOIN(NUMBER, 4) Quad;

// Where row r, or column r, of a work-item's lies in the block: fours beside each other. Work-items are counted in
// bands of 8 rows of them, so that 32 share as many numbers of A and B as can be, as do any four in a row.
#define BAND (ITEMS_M < 8 ? ITEMS_M : 8)
#define item_row(item) ((item) / (BAND * ITEMS_N) * BAND + (item) / 2 % BAND)
#define item_column(item) ((item) / (2 * BAND) % (ITEMS_N / 2) * 2 + (item) % 2)
#define row_in_block(item, r) (item_row(item) * 4 + (r) / 4 * (4 * ITEMS_M) + (r) % 4)
#define column_in_block(item, r) (item_column(item) * 4 + (r) / 4 * (4 * ITEMS_N) + (r) % 4)

// Numbers of a tile that a work-item fetches, of an operand along k or across it. Neighbours in the work-group take
// neighbours in global memory; along k only so many that local memory has a bank for each.
#define NEIGHBOURS 8
#define ALONG(piece) ((piece) % (TILE_K / NEIGHBOURS) * NEIGHBOURS)
#define ACROSS(piece) ((piece) / (TILE_K / NEIGHBOURS) * (ITEMS / NEIGHBOURS))

// A tile of an operand whose numbers along k are k_stride apart in memory and across it `stride`, of which `depth`
// steps and `extent` rows or columns are there.
typedef struct {
  global const element* from;
  ulong k_stride, stride;
  uint depth, extent;
} Tile;

#if ASYNC == 1

// Asks for a tile; what lies outside becomes zero.
inlined void fetch(const Tile tile, const uint width, const bool along_k, uint to) {
  const uint id = get_local_id(0), pitch = width + PAD, size = sizeof(element);
  const uint p = along_k ? id % NEIGHBOURS : id / width, o = along_k ? id / NEIGHBOURS : id % width;
  // From one piece to the next along k; and across it, after as many as are as deep as the tile.
  const uint deep = along_k ? TILE_K / NEIGHBOURS : PIECES(width), p_step = along_k ? NEIGHBOURS : ITEMS / width;
  const uint o_step = ITEMS / NEIGHBOURS;
  global const element* from = tile.from + p * tile.k_stride + o * tile.stride;
  to += size * (p * pitch + o);
  if (tile.depth == TILE_K && tile.extent == width) {
#pragma unroll
    for (uint across = 0; across < PIECES(width) / deep; across++, from += o_step * tile.stride) {
      global const element* at = from;
#pragma unroll
      for (uint along = 0; along < deep; along++, at += p_step * tile.k_stride)
        copy_all_later(to + size * (along * p_step * pitch + across * o_step), at, (int)sizeof(element));
    }
  } else {
#pragma unroll
    for (uint across = 0; across < PIECES(width) / deep; across++, from += o_step * tile.stride) {
      global const element* at = from;
#pragma unroll
      for (uint along = 0; along < deep; along++, at += p_step * tile.k_stride) {
        const bool is_there = p + along * p_step < tile.depth && o + across * o_step < tile.extent;
        copy_later(to + size * (along * p_step * pitch + across * o_step), at, (int)sizeof(element), is_there);
      }
    }
  }
}

#else

inlined void fetch(const Tile tile, const uint width, const bool along_k, number* pieces) {
  const uint id = get_local_id(0);
  if (along_k) {
    const uint p = id % NEIGHBOURS, o = id / NEIGHBOURS;
#pragma unroll
    for (uint piece = 0; piece < PIECES(width); piece++) {
      const uint at_p = p + ALONG(piece), at_o = o + ACROSS(piece);
      pieces[piece] = at_p < tile.depth && at_o < tile.extent ? load(tile.from, at_p + at_o * tile.stride) : 0;
    }
  } else {
    const uint p = id / width, o = id % width;
    const ulong first = p * tile.k_stride + o, step = ITEMS / width * tile.k_stride;
#pragma unroll
    for (uint piece = 0; piece < PIECES(width); piece++) {
      const bool is_there = p + piece * (ITEMS / width) < tile.depth && o < tile.extent;
      pieces[piece] = is_there ? load(tile.from, first + piece * step) : 0;
    }
  }
}

inlined void stage(const number* pieces, const uint width, const bool along_k, local number* tile) {
  const uint id = get_local_id(0), pitch = width + PAD;
  if (along_k) {
    tile += id % NEIGHBOURS * pitch + id / NEIGHBOURS;
#pragma unroll
    for (uint piece = 0; piece < PIECES(width); piece++) tile[ALONG(piece) * pitch + ACROSS(piece)] = pieces[piece];
  } else {
    tile += id / width * pitch + id % width;
#pragma unroll
    for (uint piece = 0; piece < PIECES(width); piece++) tile[piece * (ITEMS / width) * pitch] = pieces[piece];
  }
}

#endif

inlined void load_part(number* part, const uint work, local const number* row, const uint items) {
#pragma unroll
  for (uint r = 0; r < work; r += 4) {
    const Quad quad = *(local const Quad*)(row + r * items);
    part[r] = quad.x;
    part[r + 1] = quad.y;
    part[r + 2] = quad.z;
    part[r + 3] = quad.w;
  }
}

inlined void multiply_tile(number sum[SUMS], local const number* a_tile, local const number* b_tile) {
#if DEPTH > 16  // more would not stay in a cache of instructions
#pragma unroll 16
#else
#pragma unroll
#endif
  for (uint p = 0; p < DEPTH; p++) {
    number a_part[WORK_M], b_part[WORK_N];
    load_part(a_part, WORK_M, a_tile + p * A_PITCH, ITEMS_M);
    load_part(b_part, WORK_N, b_tile + p * B_PITCH, ITEMS_N);
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = multiply_add(a_part[e / WORK_N], b_part[e % WORK_N], sum[e]);
  }
}

// The sums of all slices to those of the first one, through local memory.
inlined void add_slices(number sum[SUMS], local number* exchange, const uint slice, const uint item) {
#pragma unroll
  for (uint half_of = SLICES / 2; half_of > 0; half_of /= 2) {
    local number* place = exchange + slice % half_of * (SUMS * SLICE_ITEMS) + item;
    if (slice >= half_of && slice < 2 * half_of) {
#pragma unroll
      for (uint e = 0; e < SUMS; e++) place[e * SLICE_ITEMS] = sum[e];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (slice < half_of) {
#pragma unroll
      for (uint e = 0; e < SUMS; e++) sum[e] += place[e * SLICE_ITEMS];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

static inline void finish(const Shape shape, const number alpha, const number beta, global element* c,
                          const Layout c_at, const uint2 block, const uint row, const uint column, const number sum) {
  const ulong i = (ulong)block.x * TILE_M + row, j = (ulong)block.y * TILE_N + column;
  if (i < shape.m && j < shape.n) update(c, c_at, i, j, alpha, sum, beta);
}

// The first slice's sums to C, by way of local memory, so that neighbours in the group store neighbours in memory.
inlined void finish_block(const Shape shape, const number alpha, const number beta, global element* c,
                          const Layout c_at, const uint2 block, const number sum[SUMS], local number* exchange,
                          const uint slice, const uint item) {
#pragma unroll
  for (uint band = 0; band < WORK_M; band += 4) {
    if (slice == 0) {
#pragma unroll
      for (uint e = 0; e < 4 * WORK_N; e++)
        exchange[row_in_block(item, e / WORK_N) * TILE_N + column_in_block(item, e % WORK_N)] = sum[band * WORK_N + e];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint e = get_local_id(0); e < 4 * ITEMS_M * TILE_N; e += ITEMS)
      finish(shape, alpha, beta, c, c_at, block, band * ITEMS_M + e / TILE_N, e % TILE_N, exchange[e]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// The tile of A or B at step p of a block's extent; after the last one, zeros.
static inline Tile tile_at(global const element* from, const ulong k_stride, const ulong stride, const ulong p,
                           const ulong k, const uint extent) {
  return (Tile){from + p * k_stride, k_stride, stride, p < k ? (uint)min(k - p, (ulong)TILE_K) : 0, extent};
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_sliced_k(const Shape shape, const number alpha, const number beta, const Work work,
                       global const element* restrict a, const Layout a_at,    // m x k
                       global const element* restrict b, const Layout b_at,    // k x n
                       global element* restrict c, const Layout c_at,          // m x n
                       global number* parts, global uint* counters) {
  local number stages[STAGES][STAGE_NUMBERS] __attribute__((aligned(4 * sizeof(number))));
  local uint told;
  const uint id = get_local_id(0), slice = id / SLICE_ITEMS, item = id % SLICE_ITEMS;
  const uint a_first = slice * DEPTH * A_PITCH + row_in_block(item, 0);
  const uint b_first = TILE_K * A_PITCH + slice * DEPTH * B_PITCH + column_in_block(item, 0);
  uint done = 0;
  do {
    const Segment segment = segment_at(work, done);
    const uint2 block = block_at(segment.block, work.down, work.across);
    const ulong i = (ulong)block.x * TILE_M, j = (ulong)block.y * TILE_N, first = (ulong)segment.first * TILE_K;
    const uint rows = (uint)min(shape.m - i, (ulong)TILE_M), columns = (uint)min(shape.n - j, (ulong)TILE_N);
    const uint steps = shape.k == 0 ? 0 : segment.count;
    global const element* a_from = a + start_of(a_at) + i * a_at.row;
    global const element* b_from = b + start_of(b_at) + j * b_at.column;
    const ulong a_k = A_ALONG_K ? 1 : a_at.column, a_across = A_ALONG_K ? a_at.row : 1;
    const ulong b_k = B_ALONG_K ? 1 : b_at.row, b_across = B_ALONG_K ? b_at.column : 1;
#define A_TILE(step) tile_at(a_from, a_k, a_across, first + (step) * TILE_K, shape.k, rows)
#define B_TILE(step) tile_at(b_from, b_k, b_across, first + (step) * TILE_K, shape.k, columns)
    number sum[SUMS];
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;

#if ASYNC == 1
#define FETCH(step, stage)                                                                              \
  do {                                                                                                  \
    if ((step) < steps) {                                                                               \
      fetch(A_TILE(step), TILE_M, A_ALONG_K, local_address(stages[stage]));                             \
      fetch(B_TILE(step), TILE_N, B_ALONG_K, local_address(stages[stage] + TILE_K * A_PITCH));          \
    }                                                                                                   \
    close_group();                                                                                      \
  } while (0)
#pragma unroll
    for (uint step = 0; step < STAGES - 1; step++) FETCH(step, step);
    uint now = 0, next = STAGES - 1;
    for (uint step = 0; step < steps; step++) {
      wait_for_groups(STAGES - 2);
      barrier(CLK_LOCAL_MEM_FENCE);  // all have waited for this stage, and read the one that is next
      FETCH(step + STAGES - 1, next);
      multiply_tile(sum, stages[now] + a_first, stages[now] + b_first);
      now = now + 1 < STAGES ? now + 1 : 0;
      next = next + 1 < STAGES ? next + 1 : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#else
#define FETCH(step)                                      \
  do {                                                   \
    fetch(A_TILE(step), TILE_M, A_ALONG_K, a_pieces);    \
    fetch(B_TILE(step), TILE_N, B_ALONG_K, b_pieces);    \
  } while (0)
#define STAGE(tiles)                                                 \
  do {                                                               \
    stage(a_pieces, TILE_M, A_ALONG_K, tiles);                       \
    stage(b_pieces, TILE_N, B_ALONG_K, (tiles) + TILE_K * A_PITCH);  \
  } while (0)
    number a_pieces[PIECES(TILE_M)], b_pieces[PIECES(TILE_N)];
    if (steps > 0) {
      FETCH(0);
      STAGE(stages[0]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 0; step < steps; step++) {
      local const number* now = stages[step % 2];
      if (step + 1 < steps) FETCH(step + 1);
      multiply_tile(sum, now + a_first, now + b_first);
      // The other stage was last read before the barrier of the step before.
      if (step + 1 < steps) STAGE(stages[(step + 1) % 2]);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif

    local number* exchange = (local number*)stages;
    if (SLICES > 1) add_slices(sum, exchange, slice, item);
    if (has_all_sums(work, segment, parts, counters, &told, sum, slice == 0, SUMS, SLICE_ITEMS, item))
      finish_block(shape, alpha, beta, c, c_at, block, sum, exchange, slice, item);
    done += segment.count;
  } while (done < steps_of_group(work));
}

// Finishes the blocks of several sharers: a work-group for each run of the work-items.
kernel __attribute__((reqd_work_group_size(SLICE_ITEMS, 1, 1)))
void multiply_sliced_k_join(const Shape shape, const number alpha, const number beta, const Work work,
                            global const number* restrict parts, global element* restrict c, const Layout c_at) {
  const uint item = get_local_id(0), run = get_group_id(0), shared = get_group_id(1);
  const uint2 block = block_at(own_blocks(work) + shared, work.down, work.across);
  number sums[RUN];
  if (!join_run(work, shared, parts, sums, run, SUMS, SLICE_ITEMS, item)) return;
#pragma unroll
  for (uint e = 0; e < RUN; e++)
    finish(shape, alpha, beta, c, c_at, block, row_in_block(item, run * RUN / WORK_N),
           column_in_block(item, run * RUN % WORK_N + e), sums[e]);
}
