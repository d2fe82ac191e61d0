// Conversions of two halves, or bfloat16s, at once (NVIDIA; PTX ISA 8.0, "cvt").
//   SHORT_TYPE  what PTX calls the type of operands of 16 bits

#if ELEMENT == 5
#define SHORT_TYPE "bf16"
#else
#define SHORT_TYPE "f16"
#endif

static inline uint two_halves(const float x, const float y) {
  uint both;
  asm("cvt.rn.f16x2.f32 %0, %2, %1;" : "=r"(both) : "f"(x), "f"(y));
  return both;
}

// Two floats as two elements.
static inline uint two_shorts(const float x, const float y) {
  uint both;
  asm("cvt.rn." SHORT_TYPE "x2.f32 %0, %2, %1;" : "=r"(both) : "f"(x), "f"(y));
  return both;
}

static inline float2 two_floats(const uint both) {
#if ELEMENT == 5
  return (float2)(as_float(both << 16), as_float(both & 0xffff0000u));
#else
  float2 two;
  asm("{.reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h;}"
      : "=f"(two.x), "=f"(two.y)
      : "r"(both));
  return two;
#endif
}
