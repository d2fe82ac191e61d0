// Wide numbers: sums and vectors that hold more than a float.
//   ACCUMULATOR  0 two floats, for devices without double
//                1 double
//                2 double, and what each sum lost beside it: a sum of n positive products is right to (1 + n^2 u) u
//                  of its value, u = 2^-53 (Ogita, Rump and Oishi, "Accurate sum and dot product", SIAM J. Sci.
//                  Comput. 26, 2005)
// A wide vector of n elements lies as n high parts, then for two floats n low parts.

#ifndef ACCUMULATOR
#error "ACCUMULATOR is not defined"
#endif

#pragma OPENCL FP_CONTRACT OFF

#if ACCUMULATOR == 0
#define COMPONENT float
#define COMPONENT_MAX FLT_MAX
#else
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define COMPONENT double
#define COMPONENT_MAX DBL_MAX
#endif
typedef COMPONENT component;

// Exponent of a normal number; faster than ilogb and ldexp.
static inline int exponent_of(const component x) {
#if ACCUMULATOR == 0
  return (as_int(x) >> 23 & 0xff) - 127;
#else
  return (int)(as_long(x) >> 52 & 0x7ff) - 1023;
#endif
}
static inline component power_of_two(const int exponent) {
#if ACCUMULATOR == 0
  return as_float((clamp(exponent, -126, 127) + 127) << 23);
#else
  return as_double((long)(clamp(exponent, -1022, 1023) + 1023) << 52);
#endif
}

// high + low, low within a rounding of high.
typedef struct {
  component high, low;
} Pair;

static inline Pair pair_of(const component high, const component low) {
  const component sum = high + low;
  const Pair result = {sum, low - (sum - high)};
  return result;
}

// Knuth's sum of two, exact.
static inline Pair add_pairs(const Pair a, const Pair b) {
  const component sum = a.high + b.high, of_b = sum - a.high;
  const component lost = (a.high - (sum - of_b)) + (b.high - of_b);
  return pair_of(sum, lost + (a.low + b.low));
}

// a / b, corrected by fma, because devices' own quotients may be less precise than a rounding. If a quotient is right
// to 2^-26 of its value, the corrected one in double is right to 4 u.
static inline Pair divide_pairs(const Pair a, const Pair b) {
  const component first = a.high / b.high;
  const component rest = fma(-first, b.high, a.high) + (a.low - first * b.low);
  return pair_of(first, fabs(first) <= COMPONENT_MAX ? rest / b.high : 0);
}

static inline Pair scale_pair(const Pair a, const component power_of_two) {
  const Pair result = {a.high * power_of_two, a.low * power_of_two};
  return result;
}

static inline Pair load_pair(global const component* vector, const ulong length, const ulong i) {
#if ACCUMULATOR == 0
  const Pair result = {vector[i], vector[length + i]};
#else
  const Pair result = {vector[i], 0};
#endif
  return result;
}

static inline void store_pair(const Pair value, global component* vector, const ulong length, const ulong i) {
#if ACCUMULATOR == 0
  vector[i] = value.high;
  vector[length + i] = value.low;
#else
  vector[i] = value.high + value.low;
#endif
}

// The lesser of numbers or vectors; the first where the second is NaN.
#define LESSER(x, y) ((y) < (x) ? (y) : (x))
static inline Pair lesser_pair(const Pair x, const Pair y) {
  return y.high < x.high || (y.high == x.high && y.low < x.low) ? y : x;
}

// A wide number of memory, to be compared: in double one number.
#if ACCUMULATOR == 0
typedef Pair Bound;
#define BOUND_OF(pair) (pair)
#define LESSER_BOUND lesser_pair
#define GREATER_BOUND(x, y) ((y).high > (x).high || ((y).high == (x).high && (y).low > (x).low) ? (y) : (x))
static inline Pair pair_of_bound(const Bound bound) { return bound; }
#else
typedef component Bound;
#define BOUND_OF(pair) ((pair).high)
#define LESSER_BOUND LESSER
#define GREATER_BOUND(x, y) ((y) > (x) ? (y) : (x))
static inline Pair pair_of_bound(const Bound bound) {
  const Pair result = {bound, 0};
  return result;
}
#endif

// |x - y|
static inline component distance_of(const Pair x, const Pair y) { return fabs((x.high - y.high) + (x.low - y.low)); }

// Sum: the type of the numbers that a tree adds.
#if ACCUMULATOR == 1
typedef component Sum;
#define SUM_FROM(high, low) (high)
#define ADD_SUMS(a, b) ((a) + (b))
#define LESSER_SUM LESSER
static inline Pair pair_from(const Sum sum) {
  const Pair result = {sum, 0};
  return result;
}
#else
typedef Pair Sum;
#define SUM_FROM(high, low) pair_of(high, low)
#define ADD_SUMS(a, b) add_pairs(a, b)
#define LESSER_SUM lesser_pair
static inline Pair pair_from(const Sum sum) { return sum; }
#endif

// Adds a * p to the sum high + low, for components or vectors of them, which the kernel calls TERM. a is exact in a
// component. p is p_high + p_low; p_low is read only if the accumulator is two floats.
#if ACCUMULATOR == 1
#define ADD_WIDE_PRODUCT(high, low, a, p_high, p_low) high = fma(a, p_high, high)
#else
#if ACCUMULATOR == 2
#define WITH_LOW_PART(a, p_low, lost) (lost)
#define SETTLE_SUM(high, low)
#else
#define WITH_LOW_PART(a, p_low, lost) fma(a, p_low, lost)
#define SETTLE_SUM(high, low)           \
  do {                                  \
    const TERM settled = high + low;    \
    low = low - (settled - high);       \
    high = settled;                     \
  } while (0)
#endif
#define ADD_WIDE_PRODUCT(high, low, a, p_high, p_low)                               \
  do {                                                                              \
    const TERM product = (a) * (p_high);                                            \
    const TERM rest = WITH_LOW_PART(a, p_low, fma(a, p_high, -product));            \
    const TERM sum = high + product, of_product = sum - high;                       \
    low += ((high - (sum - of_product)) + (product - of_product)) + rest;           \
    high = sum;                                                                     \
    SETTLE_SUM(high, low);                                                          \
  } while (0)
#endif
