// Vectors of numbers that may begin at any of them, and memory that is asked for early.
//   VECTOR    numbers of a vector: 2, 4, 8 or 16
//   PREFETCH  of kernels that have it: how far ahead they ask; 0: they do not

#ifndef VECTOR
#error "VECTOR is not defined"
#endif

// One load or store, which vload and vstore are not on every CPU.
typedef JOIN(NUMBER, VECTOR) Numbers;
typedef Numbers __attribute__((aligned(sizeof(number)))) NumbersAnywhere;
#define load_numbers(pointer) (*(global const NumbersAnywhere*)(pointer))
#define store_numbers(value, pointer) (*(global NumbersAnywhere*)(pointer) = (value))

// OpenCL's own prefetch() does nothing on many CPUs, which do not follow as many rows as are under way here.
#ifdef PREFETCH
#if PREFETCH > 0
#define ask_for(pointer) __builtin_prefetch((const void*)(uintptr_t)(pointer))
#else
#define ask_for(pointer)
#endif
#endif
