// An operand that is copied, as tensor maps take it: rows that begin at multiples of 16 bytes.

// The rows of A, or the columns of B: element (w, p) is at offset + w * stride + p * k_stride, and goes to
// w * to_stride + p * to_k_stride.
typedef struct {
  ulong offset, width, stride, k_stride;
  ulong to_stride, to_k_stride;
  ulong groups;  // work-groups that copy them, COPY_TILE rows or columns each
} Side;
