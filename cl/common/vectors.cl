// Arguments of the eigenpair's kernels: a matrix by rows, vectors by strides. The first argument is a word of device
// memory, `halt`. If it is not 0, the kernels do nothing.

// Ring: a buffer of `size` consecutive vectors of a solve. The k-th vector from `index` on begins at number
// place_of(ring, k). A ring of one is a buffer for each vector.
typedef struct {
  ulong stride;
  uint size, index;
} Ring;

static inline ulong place_of(const Ring ring, const uint k) { return (ring.index + k) % ring.size * ring.stride; }

// Element (i, j) is number offset + i * row + j.
typedef struct {
  ulong offset, row;
} Rows;

// The rows of a matrix that a kernel is given: `count` rows, from row `first` on.
typedef struct {
  ulong count, first;
} LocalRows;

// Element i is number offset + i * stride.
typedef struct {
  ulong offset, stride;
} Vector;

#define ELEMENT_OF(vector, at, i) ((vector)[(at).offset + (i) * (at).stride])
