// The four bytes of words (NVIDIA; PTX ISA 5.0, "dp4a", and 2.0, "prmt").

// Four products, of the unsigned bytes of one word and the signed ones of another, added to `sum`.
static inline uint add_products(const uint bytes, const uint weights, const uint sum) {
  uint all;
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(all) : "r"(bytes), "r"(weights), "r"(sum));
  return all;
}

// The lowest bytes of four words.
static inline uint lowest_bytes(const uint x, const uint y, const uint z, const uint w) {
  uint low, high, all;
  asm("prmt.b32 %0, %1, %2, 0x0040;" : "=r"(low) : "r"(x), "r"(y));
  asm("prmt.b32 %0, %1, %2, 0x0040;" : "=r"(high) : "r"(z), "r"(w));
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(all) : "r"(low), "r"(high));
  return all;
}
