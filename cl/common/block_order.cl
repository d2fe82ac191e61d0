// The order in which work-groups take the blocks of C.
//   SWIZZLE  rows of blocks that are taken together; 1: the blocks are taken row by row

#include "common/element.cl"

#ifndef SWIZZLE
#error "SWIZZLE is not defined"
#endif

// Row and column of block `number` of down x across. Blocks are numbered in bands of SWIZZLE rows, column by column, so
// that concurrent blocks share more of A and B in the cache.
static inline uint2 block_at(const uint number, const uint down, const uint across) {
  if (down <= SWIZZLE) return (uint2)(number % down, number / down);  // one band, and one division
  const uint top = number / across / SWIZZLE * SWIZZLE, height = min((uint)SWIZZLE, down - top);
  const uint in_band = number - top * across;
  return (uint2)(top + in_band % height, in_band / height);
}
