// Vectors of numbers that may begin at any of them, and prefetches of memory.
//   VECTOR    numbers of a vector: 2, 4, 8 or 16
//   PREFETCH  of kernels that have it: 0 for no prefetches; else 1, or their distance

#include "common/element.cl"

#ifndef VECTOR
#error "VECTOR is not defined"
#endif

// One load or store, which vload and vstore are not on every CPU.
typedef JOIN(NUMBER, VECTOR) Numbers;
typedef Numbers __attribute__((aligned(sizeof(number)))) NumbersAnywhere;
#define LOAD_NUMBERS(pointer) (*(global const NumbersAnywhere*)(pointer))
#define STORE_NUMBERS(value, pointer) (*(global NumbersAnywhere*)(pointer) = (value))

// Marks kernels with one work-item per work-group, which compute by vectors. Without the hint, Intel's runtime also
// builds a form across work-items, takes eight times as long to build packed, and keeps the sums of its tiles in
// memory.
#define BY_VECTORS __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(Numbers)))

// A vector of elements that begins at any of them, and one that begins at a multiple of VECTOR.
#if ELEMENT == 3
typedef JOIN(ushort, VECTOR) Halves;
static inline Numbers widen(const Halves halves) { return JOIN(vload_half, VECTOR)(0, (const half*)&halves); }
#define LOAD_ELEMENTS(pointer) JOIN(vload_half, VECTOR)(0, pointer)
#define LOAD_ALIGNED_ELEMENTS(pointer) widen(*(global const Halves*)(pointer))
#elif ELEMENT == 5
typedef JOIN(ushort, VECTOR) Shorts;
typedef Shorts __attribute__((aligned(sizeof(ushort)))) ShortsAnywhere;
static inline Numbers widen(const Shorts shorts) {
  return JOIN(as_float, VECTOR)(JOIN(convert_uint, VECTOR)(shorts) << 16);
}
// Rounds as bfloat16_of_float() does.
static inline Shorts narrow(const Numbers values) {
  const JOIN(uint, VECTOR) bits = JOIN(as_uint, VECTOR)(values);
  return JOIN(convert_ushort, VECTOR)(
      select((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16, bits >> 16 | 0x40u, isnan(values)));
}
#define LOAD_ELEMENTS(pointer) widen(*(global const ShortsAnywhere*)(pointer))
#define LOAD_ALIGNED_ELEMENTS(pointer) widen(*(global const Shorts*)(pointer))
#elif ELEMENT == 4
typedef JOIN(char, VECTOR) Bytes;
typedef Bytes __attribute__((aligned(sizeof(char)))) BytesAnywhere;
static inline Numbers widen(const Bytes bytes) { return JOIN(as_uint, VECTOR)(JOIN(convert_int, VECTOR)(bytes)); }
#define LOAD_ELEMENTS(pointer) widen(*(global const BytesAnywhere*)(pointer))
#else
#define LOAD_ELEMENTS(pointer) LOAD_NUMBERS(pointer)
#define LOAD_ALIGNED_ELEMENTS(pointer) (*(global const Numbers*)(pointer))
#endif

static inline number sum_of_numbers(const Numbers numbers) {
  number each[VECTOR];
  JOIN(vstore, VECTOR)(numbers, 0, each);
#pragma unroll
  for (int half_ = VECTOR / 2; half_ > 0; half_ /= 2) {
#pragma unroll
    for (int v = 0; v < half_; v++) each[v] += each[v + half_];
  }
  return each[0];
}

// OpenCL's own prefetch() does nothing on many CPUs, whose hardware prefetchers do not follow as many rows as are read
// here.
#ifdef PREFETCH
#if PREFETCH > 0
#define PREFETCH_READ(pointer) __builtin_prefetch((const void*)(uintptr_t)(pointer))
#define PREFETCH_WRITE(pointer) __builtin_prefetch((const void*)(uintptr_t)(pointer), 1)
#else
#define PREFETCH_READ(pointer)
#define PREFETCH_WRITE(pointer)
#endif
#endif
