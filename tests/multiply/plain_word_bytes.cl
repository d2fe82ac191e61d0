// Replaces cl/nvidia/word_bytes.cl in a test on any device.

static inline uint add_products(const uint bytes, const uint weights, const uint sum) {
  uint all = sum;
  for (uint i = 0; i < 4; i++) all += (bytes >> 8 * i & 0xff) * (uint)(int)(char)(weights >> 8 * i & 0xff);
  return all;
}

static inline uint lowest_bytes(const uint x, const uint y, const uint z, const uint w) {
  return (x & 0xff) | (y & 0xff) << 8 | (z & 0xff) << 16 | w << 24;
}
