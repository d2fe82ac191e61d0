// Products of bytes, summed modulo 2^32, on NVIDIA's GPUs from Ampere on (PTX ISA 7.0, "mma.sync"): asynchronous copies
// bring tiles of the operands to local memory while warps multiply others. Its kernel takes the place of the one in
// wide_blocks.cl, with the same arguments; it makes no maps. A work-group computes 128 x TILE_N elements of C, and each
// of its eight warps 64 x TILE_N / 4. Both operands are stored along k, in rows that begin at multiples of 4 bytes.
//   VARIANT  its name
//   TILE_N   64, 128, 192 or 256
//   TILE_K   128: a line of a tile is a row of A, or a column of B
//   STAGES   see async_stages.cl
//   PLANES, SWIZZLE, CONTIGUOUS  see wide_blocks.cl; SLICES is 1, and WARP_M 64

#include "nvidia/async_stages.cl"
#include "nvidia/matrices.cl"
#include "nvidia/wide_sums.cl"

#if TILE_K != 128 || SLICES != 1
#error "TILE_K is not 128, or SLICES is not 1"
#endif

#define A_BYTES (TILE_M * TILE_K)
#define B_BYTES (TILE_N * TILE_K)
#define STAGE_BYTES (A_BYTES + B_BYTES)
#define PIECES_OF_LINE (TILE_K / 16)
#define BANDS (WARP_M / 16)

// d += A * B: A is 16 x 32, in four words, B 32 x 8, in two.
inlined void multiply_bytes(SUM d[4], const uint a[4], const uint b[2]) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// The tile of an operand that is copied next.
typedef struct {
  global const uchar* from;  // its first line, and this work-item's piece of it
  uint pitch;
  uint last;  // line that exists; it is copied in place of later ones, whose sums are not stored
} Tile;

inlined Tile tile_at(global const uchar* from, const ulong pitch, const ulong existing) {
  return (Tile){from + get_local_id(0) % PIECES_OF_LINE * 16, (uint)pitch, (uint)min(existing, 256ul) - 1};
}

// The place in a stage of this work-item's first piece. Piece p of line l goes to place p ^ l % 8 of it, so that the
// pieces of a column are in different banks.
static inline uint place_in_stage(void) {
  const uint line = get_local_id(0) / PIECES_OF_LINE, piece = get_local_id(0) % PIECES_OF_LINE;
  return line * TILE_K + (piece ^ line % 8) * 16;
}

static inline global const uchar* line_of(const Tile tile, const uint first) {
  const uint line = first + get_local_id(0) / PIECES_OF_LINE;
  return tile.from + (ulong)min(line, tile.last) * tile.pitch;
}

// Copies lines of a tile to a stage, if `wanted`.
inlined void fetch(const bool wanted, const Tile tile, const uint first, const uint end, const uint to) {
#pragma unroll
  for (uint line = first; line < end; line += SUMMERS / PIECES_OF_LINE)
    COPY_PIECE_IF(wanted, to + place_in_stage() + line * TILE_K, line_of(tile, line));
}

// Copies a tile whose lines have `depth` bytes left. The others become zero. Lines that are not `aligned` to 16 bytes
// are aligned to 4.
inlined void fetch_rest(const Tile tile, const uint lines, const ulong depth, const bool aligned, const uint to) {
  const uint piece = get_local_id(0) % PIECES_OF_LINE * 16, bytes = piece < depth ? (uint)min(depth - piece, 16ul) : 0;
#pragma unroll 1
  for (uint line = 0; line < lines; line += SUMMERS / PIECES_OF_LINE) {
    const uint place = to + place_in_stage() + line * TILE_K;
    global const uchar* from = line_of(tile, line);
    if (aligned) {
      COPY_BYTES_LATER(place, from, bytes);
    } else {
#pragma unroll
      for (uint byte = 0; byte < 16; byte += 4)
        COPY_FIRST_LATER(place + byte, from + byte, 4, byte < bytes ? min(bytes - byte, 4u) : 0);
    }
  }
}

// Loads part `part`, 32 bytes deep, of a warp's rows of A and columns of B. Places are addresses in part 0.
inlined void load_part(const uint a_place, const uint b_place, const uint part, uint a[BANDS][4],
                       uint b[WARP_N / 16][4]) {
#pragma unroll
  for (uint band = 0; band < BANDS; band++)
    load_matrices(a[band], (a_place ^ part * 32) + band * 16 * TILE_K, false);
#pragma unroll
  for (uint columns = 0; columns < WARP_N / 16; columns++)
    load_matrices(b[columns], (b_place ^ part * 32) + columns * 16 * TILE_K, false);
}

// Adds the product of two tiles to a warp's sums, and meanwhile copies the next ones if `wanted`: half of each during
// each of the first two parts.
inlined void multiply_tiles(SUM sum[SUMS], const uint a_place, const uint b_place, const bool wanted, const Tile of_a,
                            const Tile of_b, const uint to) {
#pragma unroll
  for (uint part = 0; part < TILE_K / 32; part++) {
    uint a[BANDS][4], b[WARP_N / 16][4];
    load_part(a_place, b_place, part, a, b);
    if (part < 2) {
      fetch(wanted, of_a, part * TILE_M / 2, (part + 1) * TILE_M / 2, to);
      fetch(wanted, of_b, part * TILE_N / 2, (part + 1) * TILE_N / 2, to + A_BYTES);
    }
#pragma unroll
    for (uint e = 0; e < SUMS; e += 4) {
      const uint columns = e % SUMS_OF_BAND / 4;
      multiply_bytes(sum + e, a[e / SUMS_OF_BAND], b[columns / 2] + columns % 2 * 2);
    }
  }
}

// Stores a block of C; c holds `output`s, or the results that the variant's finish() stores.
inlined void finish(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                    const Work work, const uint of_block, const uint item, SUM sum[SUMS]);

kernel __attribute__((reqd_work_group_size(SUMMERS, 1, 1)))
void JOIN(multiply_, VARIANT)(const Shape shape, const number alpha, const number beta, const Work work,
                              global const uchar* a, const Layout a_at,      // m x k
                              global const uchar* b, const Layout b_at,      // k x n
                              global output* restrict c, const Layout c_at,  // m x n
                              global uchar* maps, global SUM* parts, global uint* counters) {
  local uint4 stages[STAGES * STAGE_BYTES / 16] __attribute__((aligned(128)));
  local ulong barriers[2 * STAGES];
  local uint told;
  const uint item = get_local_id(0), lane = item % WARP, warp = item / WARP;
  const uint memory = LOCAL_ADDRESS(stages), arrived = LOCAL_ADDRESS(barriers), used = arrived + 8 * STAGES;
  if (item == 0) {
    make_barriers(arrived, SUMMERS);
    make_barriers(used, SUMMERS / WARP);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint steps = shape.k == 0 ? 0 : work.steps, down = work.down / PLANES;
  // Lane 8 q + r gives the address of row r of matrix q: A's are 8 rows apart, then 16 bytes of k, and B's 16 bytes of
  // k, then 8 columns.
  const uint a_place = memory + (warp % WARPS_DOWN * WARP_M + lane % 16) * TILE_K + (lane / 16 ^ lane % 8) * 16;
  const uint b_place = memory + A_BYTES + (warp / WARPS_DOWN * WARP_N + lane / 16 * 8 + lane % 8) * TILE_K +
                       (lane / 8 % 2 ^ lane % 8) * 16;
  const bool a_aligned = (a_at.offset | a_at.row) % 16 == 0, b_aligned = (b_at.offset | b_at.column) % 16 == 0;
  uint stage = 0, phase = 0, next = 0, next_phase = 1, done = 0;
  do {
    const Segment segment = segment_at(work, done);
    const uint3 block = place_of_block(work, segment.block);
    const ulong i = ((ulong)block.z * down + block.x) * TILE_M, j = ((ulong)block.z * work.across + block.y) * TILE_N;
    const uint end = segment.first + min(segment.count, steps);
    SUM sum[SUMS];
#pragma unroll
    for (uint e = 0; e < SUMS; e++) sum[e] = 0;
    // Tiles are multiplied STEPS_AHEAD steps after they were fetched.
    uint step = segment.first;
#pragma unroll 1
    for (uint ahead = segment.first; step < end; ahead++) {
      const bool wanted = ahead < end;
      const ulong p = (ulong)ahead * TILE_K;
      const Tile of_a = tile_at(a + a_at.offset + i * a_at.row + p, a_at.row, shape.m - i),
                 of_b = tile_at(b + b_at.offset + j * b_at.column + p, b_at.column, shape.n - j);
      const uint to = memory + next * STAGE_BYTES;
      // Tiles are copied between products, if there are products yet, and tiles of whole pieces.
      const bool between =
          a_aligned && b_aligned && ahead >= segment.first + STEPS_AHEAD && p + TILE_K <= shape.k;
      if (wanted) {
        WAIT_FOR_COPIES(used + 8 * next, next_phase);
        if (!between) {
          fetch_rest(of_a, TILE_M, shape.k - p, a_aligned, to);
          fetch_rest(of_b, TILE_N, shape.k - p, b_aligned, to + A_BYTES);
        }
      }
      if (ahead >= segment.first + STEPS_AHEAD) {
        WAIT_FOR_COPIES(arrived + 8 * stage, phase);
        multiply_tiles(sum, a_place + stage * STAGE_BYTES, b_place + stage * STAGE_BYTES, wanted && between, of_a, of_b,
                       to);
        arrive_with_warp(used + 8 * stage);
        advance(&stage, &phase);
        step++;
      }
      if (wanted) {
        ARRIVE_WITH_COPIES(arrived + 8 * next);
        advance(&next, &next_phase);
      }
    }
    if (has_all_sums(work, segment, parts, counters, &told, sum, SUMS, SUMMERS, item))
      finish(shape, alpha, beta, c, c_at, work, segment.block, item, sum);
    done += segment.count;
  } while (done < steps_of_group(work));
}
