// Copies of operands into rows of bytes along k, by squares of COPY_TILE, in words of four neighbours.

#define COPY_TILE 64
#define COPY_ROWS 4
#define QUADS (COPY_TILE / 4)

// Byte `place` of each of four words.
static inline uint byte_of_each(const uint word[4], const uint place) {
  uint bytes = 0;
#pragma unroll
  for (uint i = 0; i < 4; i++) bytes |= (word[i] >> 8 * place & 0xff) << 8 * i;
  return bytes;
}
