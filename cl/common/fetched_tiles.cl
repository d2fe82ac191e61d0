// Tiles of an operand of a product on their way from global to local memory, by all work-items of a group.
//   TILE_K      depth of a tile
//   ITEMS       work-items of a group
//   ACROSS_PAD  numbers between the steps of a tile that lies across k
//   ASYNC       1: on their own, see common/async_copies.cl; 0: through registers

#include "common/element.cl"
#include "common/async_copies.cl"

#if !defined(TILE_K) || !defined(ITEMS) || !defined(ASYNC) || !defined(ACROSS_PAD)
#error "TILE_K, ITEMS, ASYNC or ACROSS_PAD is not defined"
#endif

#define PIECES(width) ((width) * TILE_K / ITEMS)  // numbers of a tile that a work-item fetches

// An operand's tile, TILE_K deep and `width` wide, is lines of adjacent numbers in memory, along k or across it. BESIDE
// neighbours in the group fetch neighbours of a line; a work-item's pieces are LINES lines and NEXT numbers apart.
// Local memory holds the tile step after step, along k so that there is a bank for each number that 32 fetch.
#define LINES_OF(width, along_k) ((along_k) ? (width) : TILE_K)
#define PITCH_OF(width, along_k) ((along_k) ? (width) + 4 : (width) + ACROSS_PAD)
#define PLACE_OF(width, along_k, line, in_line) \
  ((along_k) ? (in_line) * PITCH_OF(width, along_k) + (line) : (line) * PITCH_OF(width, along_k) + (in_line))
#define BESIDE(width, along_k) ((along_k) ? 8 : (width) < 32 ? (width) : 32)
#define LINES(width, along_k)                                 \
  (ITEMS / BESIDE(width, along_k) < LINES_OF(width, along_k)  \
       ? ITEMS / BESIDE(width, along_k)                       \
       : LINES_OF(width, along_k))
#define NEXT(width, along_k) (ITEMS / LINES(width, along_k))
#define PIECES_DOWN(width, along_k) (LINES_OF(width, along_k) / LINES(width, along_k))
#define PIECES_ALONG(width, along_k) (PIECES(width) / PIECES_DOWN(width, along_k))
#define FIRST_LINE(width, along_k) (get_local_id(0) / BESIDE(width, along_k) % LINES(width, along_k))
#define FIRST_IN_LINE(width, along_k)                                                             \
  (get_local_id(0) / (BESIDE(width, along_k) * LINES(width, along_k)) * BESIDE(width, along_k) +  \
   get_local_id(0) % BESIDE(width, along_k))
#define FIRST_PLACE(width, along_k) \
  PLACE_OF(width, along_k, FIRST_LINE(width, along_k), FIRST_IN_LINE(width, along_k))

// Tile: the address of this work-item's first piece, in an operand whose lines are `pitch` apart in memory, and the
// steps and the width of the tile that exist.
typedef struct {
  global const element* from;
  ulong pitch;
  uint depth, extent;
} Tile;

inlined bool has_piece(const Tile tile, const uint width, const bool along_k, const uint down, const uint along) {
  const uint line = FIRST_LINE(width, along_k) + down * LINES(width, along_k);
  const uint in_line = FIRST_IN_LINE(width, along_k) + along * NEXT(width, along_k);
  return (along_k ? in_line : line) < tile.depth && (along_k ? line : in_line) < tile.extent;
}

#if ASYNC == 1

// Returns the address of a work-item's piece in local memory; the first piece is at `to`.
inlined uint place_of_piece(const uint to, const uint width, const bool along_k, const uint down, const uint along) {
  return to + sizeof(element) *
                  PLACE_OF(width, along_k, down * LINES(width, along_k), along * NEXT(width, along_k));
}
inlined global const element* piece_of(const Tile tile, const uint width, const bool along_k, const uint down,
                                       const uint along) {
  return tile.from + down * LINES(width, along_k) * tile.pitch + along * NEXT(width, along_k);
}

// Asks for a work-item's pieces from `first` to `end` - 1 of a whole tile, if they are wanted.
inlined void fetch_whole(const uint wanted, const Tile tile, const uint width, const bool along_k, const uint to,
                         const uint first, const uint end) {
#pragma unroll
  for (uint piece = first; piece < end; piece++) {
    const uint down = piece / PIECES_ALONG(width, along_k), along = piece % PIECES_ALONG(width, along_k);
    COPY_ALL_LATER(wanted, place_of_piece(to, width, along_k, down, along), piece_of(tile, width, along_k, down, along),
                   (int)sizeof(element));
  }
}

// Asks for all of a work-item's pieces; those that the tile lacks become zero.
inlined void fetch(const Tile tile, const uint width, const bool along_k, const uint to) {
#pragma unroll
  for (uint down = 0; down < PIECES_DOWN(width, along_k); down++) {
#pragma unroll
    for (uint along = 0; along < PIECES_ALONG(width, along_k); along++)
      COPY_LATER(place_of_piece(to, width, along_k, down, along), piece_of(tile, width, along_k, down, along),
                 (int)sizeof(element), has_piece(tile, width, along_k, down, along));
  }
}

#else

inlined void fetch(Tile tile, const uint width, const bool along_k, number* pieces) {
#pragma unroll
  for (uint down = 0; down < PIECES_DOWN(width, along_k); down++, tile.from += LINES(width, along_k) * tile.pitch) {
#pragma unroll
    for (uint along = 0; along < PIECES_ALONG(width, along_k); along++, pieces++)
      *pieces = has_piece(tile, width, along_k, down, along) ? LOAD(tile.from, along * NEXT(width, along_k)) : 0;
  }
}

inlined void stage(const number* pieces, const uint width, const bool along_k, local number* tile) {
#pragma unroll
  for (uint down = 0; down < PIECES_DOWN(width, along_k); down++) {
#pragma unroll
    for (uint along = 0; along < PIECES_ALONG(width, along_k); along++, pieces++)
      tile[PLACE_OF(width, along_k, down * LINES(width, along_k), along * NEXT(width, along_k))] = *pieces;
  }
}

#endif
