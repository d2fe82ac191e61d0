// Products of real or complex matrices: the values of matrices, their arithmetic, and the end of an element of C.
//   COMPLEX                   defined for complex matrices: a value is a pair of `number`s, the real part first
//   CONJUGATE_A, CONJUGATE_B  defined if the values of A, or of B, are conjugated as they are read

#include "common/product.cl"

#ifdef COMPLEX
typedef JOIN(NUMBER, 2) value;
typedef value entry;   // of A and B in memory
typedef value result;  // of C in memory

#define PARTS 2  // numbers of a value
#define PART_OF(z, part) ((part) == 0 ? (z).x : (z).y)
#define OF_PARTS(numbers) ((value)((numbers)[0], (numbers)[1]))
#define ONE ((value)(1, 0))

static inline value conjugated(const value z) { return (value)(z.x, -z.y); }

static inline value multiply_add(const value a, const value b, const value c) {
  return (value)(MULTIPLY_ADD(a.x, b.x, MULTIPLY_ADD(-a.y, b.y, c.x)),
                 MULTIPLY_ADD(a.x, b.y, MULTIPLY_ADD(a.y, b.x, c.y)));
}

// factor * z + sum. A real factor scales each part, so that 1 * z is z also for infinities.
static inline value scale_add(const value factor, const value z, const value sum) {
  return factor.y == 0 ? MULTIPLY_ADD(factor.x, z, sum) : multiply_add(factor, z, sum);
}

#define SCALED(factor, z) scale_add(factor, z, (value)(0))
#define IS_ZERO(z) ((z).x == 0 && (z).y == 0)
#define IS_NOT_ZERO(z) (!IS_ZERO(z))
#define LOAD_VALUE(pointer, index) ((pointer)[index])
#define STORE_VALUE(z, pointer, index) ((pointer)[index] = (z))

static inline void update_value_at(global result* c, const ulong place, const value alpha, const value sum,
                                   const value beta) {
  const value product = SCALED(alpha, sum);
  c[place] = IS_ZERO(beta) ? product : scale_add(beta, c[place], product);
}
#else
typedef number value;
typedef element entry;
typedef output result;

#define PARTS 1
#define PART_OF(z, part) (z)
#define OF_PARTS(numbers) (*(numbers))
#define ONE 1
#define multiply_add MULTIPLY_ADD
#define scale_add MULTIPLY_ADD
#define SCALED(factor, z) ((factor) * (z))
#define IS_ZERO(z) ((z) == 0)
#define IS_NOT_ZERO(z) ((z) != 0)  // with !IS_ZERO(z), ptxas spills more registers of real kernels
#define LOAD_VALUE(pointer, index) LOAD(pointer, index)
#define STORE_VALUE(z, pointer, index) STORE(z, pointer, index)
#define update_value_at update_at
#endif

static inline void update_value(global result* c, const Layout c_at, const ulong i, const ulong j, const value alpha,
                                const value sum, const value beta) {
  update_value_at(c, start_of(c_at) + i * c_at.row + j, alpha, sum, beta);
}

#ifdef CONJUGATE_A
#define LOAD_A(pointer, index) conjugated(LOAD_VALUE(pointer, index))
#else
#define LOAD_A(pointer, index) LOAD_VALUE(pointer, index)
#endif
#ifdef CONJUGATE_B
#define LOAD_B(pointer, index) conjugated(LOAD_VALUE(pointer, index))
#else
#define LOAD_B(pointer, index) LOAD_VALUE(pointer, index)
#endif
