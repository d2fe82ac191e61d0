// Blocks of C. The last ones begin early enough to be whole, and store only their own elements.

// First row or column of block `block`.
static inline ulong first_of(const uint block, const uint tile, const ulong extent) {
  return extent < tile ? 0 : min((ulong)block * tile, extent - tile);
}
// True if block `block` stores row or column `at`.
static inline bool is_own(const ulong at, const uint block, const uint tile, const ulong extent) {
  return at >= (ulong)block * tile && at < extent;
}
