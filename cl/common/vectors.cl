// What the kernels of the eigenpair are given: a matrix by rows, vectors by strides.
// Their first argument is a word of device memory, `halt`: where it is not 0, they do nothing.

// Element (i, j) is number offset + i * row + j.
typedef struct {
  ulong offset, row;
} Rows;

// Element i is number offset + i * stride.
typedef struct {
  ulong offset, stride;
} Vector;

#define element_of(vector, at, i) ((vector)[(at).offset + (i) * (at).stride])

#ifdef VECTOR
// VECTOR numbers that may begin at any of them: one load or store, which vload and vstore are not on every CPU.
typedef JOIN(NUMBER, VECTOR) Numbers;
typedef Numbers __attribute__((aligned(sizeof(number)))) NumbersAnywhere;
#define load_numbers(pointer) (*(global const NumbersAnywhere*)(pointer))
#define store_numbers(value, pointer) (*(global NumbersAnywhere*)(pointer) = (value))
#endif
