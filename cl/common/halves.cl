// Conversions of two halves at once (NVIDIA; PTX ISA 8.0, "cvt").

static inline uint two_halves(const float x, const float y) {
  uint both;
  asm("cvt.rn.f16x2.f32 %0, %2, %1;" : "=r"(both) : "f"(x), "f"(y));
  return both;
}

static inline float2 two_floats(const uint both) {
  float2 two;
  asm("{.reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h;}"
      : "=f"(two.x), "=f"(two.y)
      : "r"(both));
  return two;
}
