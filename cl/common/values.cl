// Vectors of values of a real or complex A, and their products with values of a vector x. A vector of complex values
// has their parts in turn.
//   VECTOR  numbers of a vector: 2, 4, 8 or 16
// Values of A are not conjugated as they are read: conj(A) x is the conjugate of A conj(x). LOAD_X loads x or conj(x),
// and SUM_OF_A conjugates the sums of products if A is conjugated.

#include "common/complex.cl"
#include "common/numbers.cl"

#ifdef COMPLEX
#define VALUES (VECTOR / 2)  // of a vector
#else
#define VALUES VECTOR
#endif

#ifdef CONJUGATE_A
#define SUM_OF_A(sum) conjugated(sum)
#else
#define SUM_OF_A(sum) (sum)
#endif
#if defined(CONJUGATE_A) != defined(CONJUGATE_B)
#define CONJUGATE_X
#define LOAD_X(pointer, index) conjugated(LOAD_VALUE(pointer, index))
#else
#define LOAD_X(pointer, index) LOAD_VALUE(pointer, index)
#endif

#ifdef COMPLEX
// Sums of products of complex values: two vectors whose parts are combined after the last product.
typedef struct {
  Numbers straight, crossed;
} Products;

static inline Products no_products(void) {
  const Products none = {(Numbers)(0), (Numbers)(0)};
  return none;
}

static inline Numbers swapped(const Numbers parts) {
  Numbers result;
  result.even = parts.odd;
  result.odd = parts.even;
  return result;
}

// Adds the products of the values of two vectors. straight gets the products of two real or two imaginary parts, and
// crossed the products of a real and an imaginary part.
static inline Products add_products(const Numbers a, const Numbers x, const Products sums) {
  const Products result = {MULTIPLY_ADD(a, x, sums.straight), MULTIPLY_ADD(a, swapped(x), sums.crossed)};
  return result;
}

// The sum of all values.
static inline value sum_of_products(Products sums) {
#ifdef CONJUGATE_X
  sums.crossed.even = -sums.crossed.even;
#else
  sums.straight.odd = -sums.straight.odd;
#endif
  return (value)(sum_of_numbers(sums.straight), sum_of_numbers(sums.crossed));
}

// Adds the products of a vector and one value of LOAD_X: straight has its real part as a factor, crossed its imaginary
// part.
static inline Products add_multiple(const Numbers a, const value x, const Products sums) {
  const Products result = {MULTIPLY_ADD(a, (Numbers)(x.x), sums.straight),
                           MULTIPLY_ADD(a, (Numbers)(x.y), sums.crossed)};
  return result;
}

static inline Numbers sum_of_multiples(Products sums) {
  sums.crossed.odd = -sums.crossed.odd;
  return sums.straight + swapped(sums.crossed);
}
#else
typedef Numbers Products;

static inline Products no_products(void) { return 0; }
static inline Products add_products(const Numbers a, const Numbers x, const Products sums) {
  return MULTIPLY_ADD(a, x, sums);
}
static inline value sum_of_products(const Products sums) { return sum_of_numbers(sums); }
static inline Products add_multiple(const Numbers a, const value x, const Products sums) {
  return MULTIPLY_ADD(a, (Numbers)(x), sums);
}
static inline Numbers sum_of_multiples(const Products sums) { return sums; }
#endif
