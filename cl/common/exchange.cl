// Words exchanged between the lanes of a warp (NVIDIA; PTX ISA 6.0, "shfl.sync").

static inline uint of_lane_xor(const uint value, const uint mask) {
  uint other;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(value), "r"(mask));
  return other;
}

// Lanes without the bit get x of the lane with it for their y, which gets their y for its x.
#define EXCHANGE(x, y, bit, lane)                                     \
  do {                                                                \
    const uint other_ = of_lane_xor((lane) & (bit) ? (x) : (y), bit); \
    if ((lane) & (bit)) (x) = other_;                                 \
    else (y) = other_;                                                \
  } while (0)
