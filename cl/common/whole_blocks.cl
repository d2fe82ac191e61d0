// Blocks of C. The last ones begin early enough to be whole, and store only their own elements. Extents are below 2^31:
// 32-bit arithmetic takes half the instructions of 64-bit.

// First row or column of block `block`.
static inline uint first_of(const uint block, const uint tile, const uint extent) {
  return extent < tile ? 0 : min(block * tile, extent - tile);
}
// True if block `block` stores row or column `at`.
static inline bool is_own(const uint at, const uint block, const uint tile, const uint extent) {
  return at >= block * tile && at < extent;
}
