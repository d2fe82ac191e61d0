// Blocks of C in slices: a work-group computes blocks of TILE_M x TILE_N elements of C. Tiles of A and B, TILE_K deep,
// pass through local memory. Meanwhile the next tiles are fetched. The work-items of a group split k into slices, whose
// sums are added at the end in a fixed order. If C has fewer blocks than the device can run work-groups, these split k
// too.
//   VARIANT                 the variant's name
//   TILE_M, TILE_N, TILE_K  powers of two of at most ITEMS
//   STAGES                  tiles in flight; 2 if they pass through registers
//   ITEMS                   work-items of a group: SLICE_ITEMS times SLICES
//   A_ALONG_K, B_ALONG_K    1: neighbours in memory are neighbours along k; else across it
//   ASYNC, ACROSS_PAD, JOINERS  see common/fetched_tiles.cl and common/stream_k.cl
//   SLICES                  a power of two; slice s computes SLICE_K steps of each tile from s * SLICE_K on
//   AT_ONCE                 steps of a slice without a fetch between them
//   SUMS                    of a work-item, ordered by bands of BAND_ROWS rows of the block
// Any m, n, k below 2^31: see common/whole_blocks.cl. If an operand is smaller than a tile, the rest is staged as zero.

#include "common/product.cl"
#include "common/block_order.cl"
#include "common/whole_blocks.cl"
#include "common/stream_k.cl"
#include "common/fetched_tiles.cl"

#define SLICE_K (TILE_K / SLICES)
#define BAND_SUMS (SUMS * BAND_ROWS / TILE_M)
// Tiles of one operand count as whole even if the other's are not, in narrow tiles, whose slices split k: 3 to 10 %
// faster on an H200. With many sums per work-item the registers do not suffice, and it is 15 % slower; without slices,
// in a batch, 7 % slower.
#define ALONE (SUMS < 64 && SLICES > 1)
#define A_PITCH PITCH_OF(TILE_M, A_ALONG_K)
#define B_PITCH PITCH_OF(TILE_N, B_ALONG_K)
#define STAGE_NUMBERS (TILE_K * (A_PITCH + B_PITCH))

// The variant defines these. Row and column of a work-item's sum `e` of a band:
inlined uint row_in_band(const uint item, const uint e);
inlined uint column_of_sum(const uint item, const uint e);
// A work-item's first numbers in tiles of A and B, step after step A_PITCH and B_PITCH apart:
inlined uint first_of_a(const uint item);
inlined uint first_of_b(const uint item);
inlined void multiply_steps(number sum[SUMS], local const number* a_tile, local const number* b_tile, const uint steps);

// Adds the sums of all slices to the first slice's, through local memory.
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

// Extends has_all_sums() to slices: the first slice holds the sums, and the slices split the sums that the last sharer
// adds.
inlined bool has_all_slices_sums(const Work work, const Segment segment, global number* parts, global uint* counters,
                                 local uint* told, number sum[SUMS], local number* exchange, const uint slice,
                                 const uint item) {
  if (is_whole(work, segment)) return true;
  if (slice == 0)
    keep_sums(parts + first_of_place(get_group_id(0), segment.begins, SUMS, SLICE_ITEMS), sum, SUMS, SLICE_ITEMS, item);
  if (!is_last_sharer(work, segment, counters, told)) return false;
  join_all(sharers_of(work, segment.block - own_blocks(work)), parts, sum, SUMS, SLICE_ITEMS, item, slice, SLICES);
  if (SLICES > 1) add_slices(sum, exchange, slice, item);
  return true;
}

#define OF_BAND (BAND_ROWS * TILE_N / ITEMS)  // numbers of a band for each work-item

// The first slice's sums to C, by way of local memory, so that neighbours in the group store neighbours in memory.
inlined void finish_block(const Shape shape, const number alpha, const number beta, global output* c,
                          const Layout c_at, const uint2 block, const number sum[SUMS], local number* exchange,
                          const uint slice, const uint item) {
  const uint id = get_local_id(0), column = id % TILE_N, rows = ITEMS / TILE_N;
  const uint j = first_of(block.y, TILE_N, shape.n) + column;
  const uint top = first_of(block.x, TILE_M, shape.m) + id / TILE_N, first = block.x * TILE_M;
  // The rows from the block's first own one on in which this work-item stores.
  const uint own = is_own(j, block.y, TILE_N, shape.n) ? (uint)shape.m - first : 0;
  const ulong step = rows * c_at.row;
#pragma unroll
  for (uint band = 0; band < TILE_M / BAND_ROWS; band++) {
    if (slice == 0) {
#pragma unroll
      for (uint e = 0; e < BAND_SUMS; e++)
        exchange[row_in_band(item, e) * TILE_N + column_of_sum(item, e)] = sum[band * BAND_SUMS + e];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // Not carried from band to band: with values that change past barriers here, PoCL 3.1 stores outside of C.
    const uint i = top + band * BAND_ROWS;
    global output* to = c + start_of(c_at) + (ulong)i * c_at.row + j;
    number results[OF_BAND];
#pragma unroll
    for (uint e = 0; e < OF_BAND; e++) results[e] = alpha * exchange[e * ITEMS + id];
// Unsigned: for a row before `first` the difference wraps, and is larger than `own`.
#define IS_OWN_ROW(e) (i - first + (e) * rows < own)
    if (beta != 0) {
      // All loads are in flight at once.
      global const output* from = to;
#pragma unroll
      for (uint e = 0; e < OF_BAND; e++, from += step)
        results[e] = MULTIPLY_ADD(beta, IS_OWN_ROW(e) ? LOAD_OUTPUT(from, 0) : 0, results[e]);
    }
#pragma unroll
    for (uint e = 0; e < OF_BAND; e++, to += step)
      if (IS_OWN_ROW(e)) STORE_OUTPUT(results[e], to, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void JOIN(multiply_, VARIANT)(const Shape shape, const number alpha, const number beta, const Work work,
                       global const element* restrict a, const Layout a_at,    // m x k
                       global const element* restrict b, const Layout b_at,    // k x n
                       global output* restrict c, const Layout c_at,          // m x n
                       global number* parts, global uint* counters) {
  local number stages[STAGES][STAGE_NUMBERS] __attribute__((aligned(4 * sizeof(number))));
  local uint told;
  const uint id = get_local_id(0), slice = id / SLICE_ITEMS, item = id % SLICE_ITEMS;
  const uint a_first = slice * SLICE_K * A_PITCH + first_of_a(item);
  const uint b_first = TILE_K * A_PITCH + slice * SLICE_K * B_PITCH + first_of_b(item);
  uint done = 0;
  do {
    const Segment segment = segment_at(work, done);
    const uint2 block = block_at(segment.block, work.down, work.across);
    const uint m = (uint)shape.m, n = (uint)shape.n, k = (uint)shape.k;
    const uint i = first_of(block.x, TILE_M, m), j = first_of(block.y, TILE_N, n);
    const uint first = segment.first * TILE_K, left = first < k ? k - first : 0;
    const uint rows = min(m - i, (uint)TILE_M), columns = min(n - j, (uint)TILE_N);
    const uint steps = k == 0 ? 0 : segment.count;
    const ulong a_pitch = A_ALONG_K ? a_at.row : a_at.column, b_pitch = B_ALONG_K ? b_at.column : b_at.row;
    global const element* a_from = a + start_of(a_at) + i * a_at.row + first * a_at.column +
                                   FIRST_LINE(TILE_M, A_ALONG_K) * a_pitch + FIRST_IN_LINE(TILE_M, A_ALONG_K);
    global const element* b_from = b + start_of(b_at) + first * b_at.row + j * b_at.column +
                                   FIRST_LINE(TILE_N, B_ALONG_K) * b_pitch + FIRST_IN_LINE(TILE_N, B_ALONG_K);
    number sum[SUMS];
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;

// Steps of k that are left at tile `step`; from a tile to the next.
#define K_LEFT(step) ((step) * TILE_K < left ? min(left - (step) * TILE_K, (uint)TILE_K) : 0)
#define A_STEP (TILE_K * (A_ALONG_K ? 1 : a_at.column))
#define B_STEP (TILE_K * (B_ALONG_K ? 1 : b_at.row))

#if ASYNC == 1
    const uint deep_tiles = ALONE || (rows == TILE_M && columns == TILE_N) ? min(steps, left / TILE_K) : 0;
    const uint a_to = LOCAL_ADDRESS(stages[0] + FIRST_PLACE(TILE_M, A_ALONG_K));
    const uint b_to = LOCAL_ADDRESS(stages[0] + TILE_K * A_PITCH + FIRST_PLACE(TILE_N, B_ALONG_K));
// A_IS_WHOLE, B_IS_WHOLE: the operand's tile of a step is whole. FETCH_WHOLE requests the pieces of whole tiles for the
// steps `from` to `to` of a slice, FETCH_OTHER all pieces of the other tiles.
#define A_IS_WHOLE(step) ((step) < deep_tiles && (!ALONE || rows == TILE_M))
#define B_IS_WHOLE(step) ((step) < deep_tiles && (!ALONE || columns == TILE_N))
#define TILE_OF_A(depth) ((Tile){a_from, a_pitch, depth, rows})
#define TILE_OF_B(depth) ((Tile){b_from, b_pitch, depth, columns})
#define PLACE(stage) ((stage) * (uint)sizeof(stages[0]))
#define FETCH_WHOLE(step, stage, from, to)                                                                          \
  do {                                                                                                              \
    fetch_whole(A_IS_WHOLE(step), TILE_OF_A(TILE_K), TILE_M, A_ALONG_K, a_to + PLACE(stage),                        \
                (from) * PIECES(TILE_M) / SLICE_K, (to) * PIECES(TILE_M) / SLICE_K);                                \
    fetch_whole(B_IS_WHOLE(step), TILE_OF_B(TILE_K), TILE_N, B_ALONG_K, b_to + PLACE(stage),                        \
                (from) * PIECES(TILE_N) / SLICE_K, (to) * PIECES(TILE_N) / SLICE_K);                                \
  } while (0)
#define FETCH_OTHER(step, stage)                                                                                    \
  do {                                                                                                              \
    if ((step) >= steps) break;                                                                                     \
    if (!A_IS_WHOLE(step)) fetch(TILE_OF_A(K_LEFT(step)), TILE_M, A_ALONG_K, a_to + PLACE(stage));                  \
    if (!B_IS_WHOLE(step)) fetch(TILE_OF_B(K_LEFT(step)), TILE_N, B_ALONG_K, b_to + PLACE(stage));                  \
  } while (0)
#define END_FETCH()    \
  do {                 \
    CLOSE_GROUP();     \
    a_from += A_STEP;  \
    b_from += B_STEP;  \
  } while (0)
#pragma unroll 1
    for (uint step = 0; step < STAGES - 1; step++) {
      FETCH_OTHER(step, step);
      FETCH_WHOLE(step, step, 0, SLICE_K);
      END_FETCH();
    }
    uint now = 0, next = STAGES - 1;
    for (uint step = 0; step < steps; step++) {
      const uint ahead = step + STAGES - 1;
      WAIT_FOR_GROUPS(STAGES - 2);
      barrier(CLK_LOCAL_MEM_FENCE);  // all have waited for this stage, and read the one that is next
      FETCH_OTHER(ahead, next);
#pragma unroll
      for (uint p = 0; p < SLICE_K; p += AT_ONCE) {
        FETCH_WHOLE(ahead, next, p, p + AT_ONCE);
        multiply_steps(sum, stages[now] + a_first + p * A_PITCH, stages[now] + b_first + p * B_PITCH, AT_ONCE);
      }
      END_FETCH();
      now = now + 1 < STAGES ? now + 1 : 0;
      next = next + 1 < STAGES ? next + 1 : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#else
#define FETCH(step)                                                                                       \
  do {                                                                                                    \
    const uint depth = K_LEFT(step);                                                                  \
    fetch((Tile){a_from + (step) * A_STEP, a_pitch, depth, rows}, TILE_M, A_ALONG_K, a_pieces);           \
    fetch((Tile){b_from + (step) * B_STEP, b_pitch, depth, columns}, TILE_N, B_ALONG_K, b_pieces);        \
  } while (0)
#define STAGE(tiles)                                                                                    \
  do {                                                                                                  \
    stage(a_pieces, TILE_M, A_ALONG_K, (tiles) + FIRST_PLACE(TILE_M, A_ALONG_K));                       \
    stage(b_pieces, TILE_N, B_ALONG_K, (tiles) + TILE_K * A_PITCH + FIRST_PLACE(TILE_N, B_ALONG_K));    \
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
      multiply_steps(sum, now + a_first, now + b_first, SLICE_K);
      // The other stage was last read before the barrier of the step before.
      if (step + 1 < steps) STAGE(stages[(step + 1) % 2]);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif

    local number* exchange = (local number*)stages;
    if (SLICES > 1) add_slices(sum, exchange, slice, item);
    if (has_all_slices_sums(work, segment, parts, counters, &told, sum, exchange, slice, item))
      finish_block(shape, alpha, beta, c, c_at, block, sum, exchange, slice, item);
    done += segment.count;
  } while (done < steps_of_group(work));
}

// Finishes the blocks of several sharers: a work-group for each run of the work-items, which JOINERS of them add.
kernel __attribute__((reqd_work_group_size(SLICE_ITEMS, JOINERS, 1)))
void JOIN(JOIN(multiply_, VARIANT), _join)(const Shape shape, const number alpha, const number beta, const Work work,
                            global const number* restrict parts, global output* restrict c, const Layout c_at) {
  local number exchange[JOINERS * CONTIGUOUS * SLICE_ITEMS];
  const uint item = get_local_id(0), joiner = get_local_id(1), run = get_group_id(0), shared = get_group_id(1);
  const uint2 block = block_at(own_blocks(work) + shared, work.down, work.across);
  const uint band = run * CONTIGUOUS / BAND_SUMS, in_band = run * CONTIGUOUS % BAND_SUMS;
  const uint i = first_of(block.x, TILE_M, shape.m) + band * BAND_ROWS + row_in_band(item, in_band);
  const uint left = first_of(block.y, TILE_N, shape.n);
  number sums[CONTIGUOUS];
  const bool several = join_run(work, shared, parts, sums, run, SUMS, SLICE_ITEMS, item);
  if (several) {
#pragma unroll
    for (uint e = 0; e < CONTIGUOUS; e++) exchange[(joiner * CONTIGUOUS + e) * SLICE_ITEMS + item] = sums[e];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!several || joiner > 0 || !is_own(i, block.x, TILE_M, shape.m)) return;
#pragma unroll
  for (uint e = 0; e < CONTIGUOUS; e++) {
    const uint j = left + column_of_sum(item, in_band + e);
    number sum = 0;
    for (uint other = 0; other < JOINERS; other++) sum += exchange[(other * CONTIGUOUS + e) * SLICE_ITEMS + item];
    if (is_own(j, block.y, TILE_N, shape.n)) update(c, c_at, i, j, alpha, sum, beta);
  }
}
