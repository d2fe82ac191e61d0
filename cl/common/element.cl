// Element types: what memory holds, what arithmetic is done in, and the way between the two.
//   ELEMENT  0 float, 1 double, 2 int32 (as unsigned: modulo 2^32), 3 half (stored only), 4 int8 (stored only)
// `output` is the element type of products: int32 for int8 operands, else the operands' type.

#ifndef ELEMENT
#error "ELEMENT is not defined"
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
#else
#error "ELEMENT is not a type"
#endif

typedef NUMBER number;
#if ELEMENT == 4
typedef uint output;
#else
typedef element output;
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#if ELEMENT == 3
#define LOAD(pointer, index) vload_half(index, pointer)
#define STORE(value, pointer, index) vstore_half(value, index, pointer)
#elif ELEMENT == 4
// The sign goes into the upper bits; outputs stay as they are.
#define LOAD(pointer, index) ((uint)(int)(pointer)[index])
#define STORE(value, pointer, index) ((pointer)[index] = (value))
#else
#define LOAD(pointer, index) ((pointer)[index])
#define STORE(value, pointer, index) ((pointer)[index] = (value))
#endif

// The compiler fuses where fusing is fast.
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))

// Marks functions whose array arguments must stay in registers: a call that is not inlined puts them in memory.
#define inlined static inline __attribute__((always_inline))
