// Element types: what memory holds, what arithmetic is done in, and the way between the two.
//   ELEMENT  0 float, 1 double, 2 int32 (as unsigned: modulo 2^32), 3 half (stored only), 4 int8 (stored only),
//            5 bfloat16 (stored only, as its bits)
//   OUTPUT   the type of results, by the same numbers: ELEMENT; int32 if ELEMENT is int8; also float if ELEMENT is half
//            or bfloat16

#if !defined(ELEMENT) || !defined(OUTPUT)
#error "ELEMENT or OUTPUT is not defined"
#endif

#if ELEMENT == 0
typedef float element;
#define NUMBER float
#elif ELEMENT == 1
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double element;
#define NUMBER double
#elif ELEMENT == 2
typedef uint element;
#define NUMBER uint
#elif ELEMENT == 3
typedef half element;
#define NUMBER float
#elif ELEMENT == 4
typedef char element;
#define NUMBER uint
#elif ELEMENT == 5
typedef ushort element;
#define NUMBER float
#else
#error "ELEMENT is not a type"
#endif

typedef NUMBER number;
#if OUTPUT == ELEMENT
typedef element output;
#else
typedef number output;
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#if ELEMENT == 5
static inline float float_of_bfloat16(const ushort bits) { return as_float((uint)bits << 16); }
// Rounds to nearest, ties to even; a NaN stays one.
static inline ushort bfloat16_of_float(const float value) {
  const uint bits = as_uint(value);
  return (ushort)(isnan(value) ? bits >> 16 | 0x40u : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
#endif

// Elements of memory as numbers, and numbers as elements.
#if ELEMENT == 3
#define LOAD(pointer, index) vload_half(index, pointer)
#define STORE(value, pointer, index) vstore_half(value, index, pointer)
#elif ELEMENT == 4
#define LOAD(pointer, index) ((uint)(int)(pointer)[index])  // the sign goes into the upper bits
#elif ELEMENT == 5
#define LOAD(pointer, index) float_of_bfloat16((pointer)[index])
#define STORE(value, pointer, index) ((pointer)[index] = bfloat16_of_float(value))
#else
#define LOAD(pointer, index) ((pointer)[index])
#define STORE(value, pointer, index) ((pointer)[index] = (value))
#endif

// The same of results.
#if OUTPUT == ELEMENT
#define LOAD_OUTPUT(pointer, index) LOAD(pointer, index)
#define STORE_OUTPUT(value, pointer, index) STORE(value, pointer, index)
#else
#define LOAD_OUTPUT(pointer, index) ((pointer)[index])
#define STORE_OUTPUT(value, pointer, index) ((pointer)[index] = (value))
#endif

// The compiler fuses where fusing is fast.
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))

// Marks functions whose array arguments must stay in registers: a call that is not inlined puts them in memory.
#define inlined static inline __attribute__((always_inline))
