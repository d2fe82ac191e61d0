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
