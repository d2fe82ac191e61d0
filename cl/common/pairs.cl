// Complex products as real ones, m x 2n x 2k, in vectors of numbers (Van Zee, "Implementing high-performance complex
// matrix multiplication via the 1m method", SIAM J. Sci. Comput. 42, 2020). Each value of A and C is a pair of numbers
// in a row. Each value z of B becomes two rows of a panel: z and i * z, which meet the real and imaginary part of A.
// Real elements have one number each, and become one row.
//   VECTOR  see common/numbers.cl; at least 4 for complex elements
// Strides of B, and A's stride along k, are of values: number (p, j) of B is at p * row + j * column for even p and j.

#include "common/complex.cl"
#include "common/numbers.cl"

#ifdef COMPLEX
#ifdef CONJUGATE_A
#define SIGNED_AS_A(numbers) (-(numbers))
#else
#define SIGNED_AS_A(numbers) (numbers)
#endif

// i times each value.
static inline Numbers turned(const Numbers values) {
  Numbers all;
  all.even = -values.odd;
  all.odd = values.even;
  return all;
}

// Does what scale_add() of common/complex.cl does.
inlined Numbers scale_add_numbers(const value factor, const Numbers values, const Numbers sum) {
  if (factor.y == 0) return MULTIPLY_ADD(factor.x, values, sum);
  return MULTIPLY_ADD(factor.x, values, MULTIPLY_ADD(factor.y, turned(values), sum));
}
#define SCALE_NUMBERS(factor, values) scale_add_numbers(factor, values, (Numbers)(0))

// Copies a value of A, and one of B.
static inline void copy_value_of_a(global number* to, const ulong step, global const element* from) {
  to[0] = from[0];
  to[step] = from[1];
}

static inline void copy_value_of_b(global number* to, const ulong step, global const element* from) {
  const value z = LOAD_B((global const entry*)from, 0);
  vstore2(z, 0, to);
  vstore2(SIGNED_AS_A((value)(-z.y, z.x)), 0, to + step);
}

// Stores values of a row of B into PARTS rows, `step` apart.
static inline void store_row_of_b(Numbers values, global number* to, const ulong step) {
#ifdef CONJUGATE_B
  values.odd = -values.odd;
#endif
  STORE_NUMBERS(values, to);
  STORE_NUMBERS(SIGNED_AS_A(turned(values)), to + step);
}

// Interleaves the low halves, or the high halves, of two vectors of values.
static inline Numbers interleaved_low(const Numbers x, const Numbers y) {
  Numbers both;
  both.even.even = x.lo.even;
  both.odd.even = x.lo.odd;
  both.even.odd = y.lo.even;
  both.odd.odd = y.lo.odd;
  return both;
}

static inline Numbers interleaved_high(const Numbers x, const Numbers y) {
  Numbers both;
  both.even.even = x.hi.even;
  both.odd.even = x.hi.odd;
  both.even.odd = y.hi.even;
  both.odd.odd = y.hi.odd;
  return both;
}
#else
#define scale_add_numbers MULTIPLY_ADD
#define SCALE_NUMBERS(factor, values) ((factor) * (values))
#define copy_value_of_a(to, step, from) (*(to) = LOAD(from, 0))
#define copy_value_of_b copy_value_of_a
#define store_row_of_b(values, to, step) STORE_NUMBERS(values, to)

static inline Numbers interleaved_low(const Numbers x, const Numbers y) {
  Numbers both;
  both.even = x.lo;
  both.odd = y.lo;
  return both;
}

static inline Numbers interleaved_high(const Numbers x, const Numbers y) {
  Numbers both;
  both.even = x.hi;
  both.odd = y.hi;
  return both;
}
#endif

#define VALUES (VECTOR / PARTS)  // of a vector

// Transposes VALUES x VALUES values: contiguous columns in `from`, PARTS * stride apart, become rows, by perfect
// shuffles (Stone, "Parallel processing with the perfect shuffle", IEEE Trans. Computers C-20, 1971).
inlined void load_transposed(Numbers rows[VALUES], global const element* from, const ulong stride) {
#pragma unroll
  for (uint w = 0; w < VALUES; w++) rows[w] = LOAD_ELEMENTS(from + w * PARTS * stride);
#pragma unroll
  for (uint length = 1; length < VALUES; length *= 2) {
    Numbers shuffled[VALUES];
#pragma unroll
    for (uint w = 0; w < VALUES / 2; w++) {
      shuffled[2 * w] = interleaved_low(rows[w], rows[w + VALUES / 2]);
      shuffled[2 * w + 1] = interleaved_high(rows[w], rows[w + VALUES / 2]);
    }
#pragma unroll
    for (uint w = 0; w < VALUES; w++) rows[w] = shuffled[w];
  }
}
