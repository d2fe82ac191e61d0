// Atomic sum and maximum of floats and doubles in global memory.
//   ATOMICS  0 compare-and-swap, 1 NVIDIA PTX `red` (sums), 2 cl_ext_float_atomics (sums of floats)
// The order of the sums is not fixed. Right for negative values; a maximum passes over NaN.

#include "common/element.cl"

#ifndef ATOMICS
#error "ATOMICS is not defined"
#endif

#if ELEMENT == 0
typedef uint word;
#define as_word as_uint
#define as_number as_float
#define compare_and_swap atomic_cmpxchg
#elif ELEMENT == 1
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
typedef ulong word;
#define as_word as_ulong
#define as_number as_double
#define compare_and_swap atom_cmpxchg
#else
#error "ELEMENT has no atomics"
#endif

// Reads the current value, atomically.
#define PRESENT(to) compare_and_swap((volatile global word*)(to), (word)0, (word)0)

static inline void atomic_add_number(volatile global number* to, const number value) {
#if ATOMICS == 1 && ELEMENT == 0
  asm volatile("red.global.add.f32 [%0], %1;" : : "l"(to), "f"(value) : "memory");
#elif ATOMICS == 1 && ELEMENT == 1
  asm volatile("red.global.add.f64 [%0], %1;" : : "l"(to), "d"(value) : "memory");
#elif ATOMICS == 2 && ELEMENT == 0
  atomic_fetch_add_explicit((volatile global atomic_float*)to, value, memory_order_relaxed, memory_scope_device);
#else
  word seen = PRESENT(to), expected;
  do {
    expected = seen;
    seen = compare_and_swap((volatile global word*)to, expected, as_word(as_number(expected) + value));
  } while (seen != expected);
#endif
}

static inline void atomic_max_number(volatile global number* to, const number value) {
  word seen = PRESENT(to);
  while (as_number(seen) < value) {
    const word expected = seen;
    seen = compare_and_swap((volatile global word*)to, expected, as_word(value));
    if (seen == expected) break;
  }
}
