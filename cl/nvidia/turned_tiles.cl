// Tiles in local memory that work-items rewrite for the kernel that reads them (cl/multiply/bulk_copy.cl), four numbers
// at a time, while they multiply the tile before. `items` is the number of work-items, `item` the number of this one.

#include "common/quads.cl"

// A tile becomes one of these:
//   TRANSPOSED  a tile along k becomes lines across it. Neighbours in a group transpose neighbouring rows or columns:
//               they read from all banks of local memory, and write to all
//   TIMES_I     a tile of complex values across k, x + iy, is multiplied by i: -y + ix
#define TRANSPOSED 0
#define TIMES_I 1

#define FOURS(width, becomes) ((width) * TILE_K / ((becomes) == TIMES_I ? 8 : 4))
#define OWN_FOURS(width, becomes, items) ((FOURS(width, becomes) + (items) - 1) / (items))  // of a work-item

inlined void load_four(number* four, local const number* tile, const uint width, const uint becomes, const uint items,
                       const uint index) {
  if (FOURS(width, becomes) % items > 0 && index >= FOURS(width, becomes)) return;
  const uint row = index % width, exchange = row * TILE_K / 32 % (TILE_K / 4);
  load_quad(four, tile + (becomes == TIMES_I ? index * 4 : row * TILE_K + (index / width ^ exchange) * 4));
}

inlined void store_four(local number* tile, const number* four, const uint width, const uint becomes, const uint items,
                        const uint index) {
  if (FOURS(width, becomes) % items > 0 && index >= FOURS(width, becomes)) return;
  if (becomes == TIMES_I) {
    *(local Quad*)(tile + index * 4) = (Quad)(-four[1], four[0], -four[3], four[2]);
    return;
  }
#pragma unroll
  for (uint p = 0; p < 4; p++) tile[(index / width * 4 + p) * width + index % width] = four[p];
}

inlined void rewrite(local number* to, local const number* from, const uint width, const uint becomes,
                     const uint items, const uint item) {
#pragma unroll
  for (uint own = 0; own < OWN_FOURS(width, becomes, items); own++) {
    number four[4];
    load_four(four, from, width, becomes, items, item + own * items);
    store_four(to, four, width, becomes, items, item + own * items);
  }
}

// Does step u of a rewriting in steps `first` to `steps` - 1: a work-item stores in step u what it loaded in step u - 1.
inlined void rewrite_in_step(local number* to, local const number* from, number* fours, const uint width,
                             const uint becomes, const uint items, const uint item, const uint first, const uint steps,
                             const uint u) {
#pragma unroll
  for (uint own = 0; own < OWN_FOURS(width, becomes, items); own++) {
    const uint loaded = first + own * (steps - 1 - first) / OWN_FOURS(width, becomes, items);
    if (u == loaded) load_four(fours + 4 * own, from, width, becomes, items, item + own * items);
    if (u == loaded + 1) store_four(to, fours + 4 * own, width, becomes, items, item + own * items);
  }
}
