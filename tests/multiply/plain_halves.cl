// Replaces cl/nvidia/halves.cl in a test on any device.

static inline uint two_halves(const float x, const float y) {
  uint both;
  vstore_half_rte(x, 0, (half*)&both);
  vstore_half_rte(y, 1, (half*)&both);
  return both;
}

static inline float2 two_floats(const uint both) {
  return (float2)(vload_half(0, (const half*)&both), vload_half(1, (const half*)&both));
}
