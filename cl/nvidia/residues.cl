// Residues: integers represented by their residues modulo small numbers without common divisors. A result that is exact
// modulo each of them is exact modulo RANGE, their product. The Chinese remainder theorem recovers it (Ozaki, Uchino
// and Imamura, "Ozaki scheme II", arXiv 2504.08009; Uchino, Ozaki and Imamura, arXiv 2508.03984). Residues are the ones
// nearest to zero, which fit into a signed byte.
//
// A complex integer has two residues modulo each number: re + root im and re - root im, where the square of the root is
// -1. Each residue of a product is the product of the factors' residues, because root * root * im * im is -im * im.
//   PLANES          the count of residues
//   MODULI          the moduli, at most 256 each
//   INVERSES        the floats nearest to 1 / modulus
//   LOW_WEIGHTS     per modulus the residues of 256^0 to 256^3, as the bytes of a word
//   HIGH_WEIGHTS    per modulus the residues of 256^4 to 256^7
//   TURNED_LOW_WEIGHTS, TURNED_HIGH_WEIGHTS  the same times the root, for complex integers
//   STARTS          per modulus its largest multiple of 256 up to 1.5 * 2^23
//   FRACTIONS       per modulus 2^64 * f / modulus, for the integer f with f * RANGE / modulus = 1 modulo the modulus;
//                   for complex integers the first fractions are for sums of both residues, with f / 2, and the
//                   others for their differences, with f / (2 root)
//   FRACTIONS_REST  the next 32 bits

#include "common/complex.cl"
#include "nvidia/word_bytes.cl"

constant float moduli[] = {MODULI};
constant float inverses[] = {INVERSES};
constant uint low_weights[] = {LOW_WEIGHTS};
constant uint high_weights[] = {HIGH_WEIGHTS};
#ifdef COMPLEX
constant uint turned_low_weights[] = {TURNED_LOW_WEIGHTS};
constant uint turned_high_weights[] = {TURNED_HIGH_WEIGHTS};
#endif
constant float starts[] = {STARTS};
constant ulong fractions[] = {FRACTIONS};
constant uint fractions_rest[] = {FRACTIONS_REST};

// Modulus: constants for residues modulo one of the moduli.
typedef struct {
  uint low_weights, high_weights;
  uint start_of_int, start_of_long;  // of the sums of bytes times weights, as the bits of floats
  float modulus, inverse, rounding;
} Modulus;

// A float sum with it is rounded to an integer.
#define ROUNDING 12582912.0f

// A sum begins with a multiple of the modulus, less what the highest byte's sign bit adds once it is turned over: the
// float with its bits is the sum itself, above 2^23.
inlined Modulus modulus_of(const uint i) {
  const uint low = low_weights[i], high = high_weights[i];
  const uint start = as_uint(starts[i]);
  const float inverse = inverses[i];
  return (Modulus){low, high, start - 128 * ((int)low >> 24), start - 128 * ((int)high >> 24), moduli[i], inverse,
                   fma(starts[i], inverse, ROUNDING)};
}

// Returns the residue of a sum, given its bits, in the lowest byte. The sum is below 2^24 and the inverse is correct to
// 2^-24 of itself, so the quotient is wrong by less than 1 over the modulus. Hence the residue is within +-127 for an
// odd modulus up to 253; modulo 256, 128 is the byte of -128.
static inline uint nearest_residue(const uint sum, const Modulus of) {
  const float quotient = fma(as_float(sum), of.inverse, ROUNDING) - of.rounding;
  return as_uint(fma(-quotient, of.modulus, as_float(sum)));
}

static inline uint residue_of_int(const uint x, const Modulus of) {
  return nearest_residue(add_products(x ^ 0x80000000, of.low_weights, of.start_of_int), of);
}

// The sum of a long's bytes times weights, from a start on.
static inline uint sum_of_long(const long x, const uint low_weights, const uint high_weights, const uint start) {
  const uint sum = add_products((uint)((ulong)x >> 32) ^ 0x80000000, high_weights, start);
  return add_products((uint)x, low_weights, sum);
}

static inline uint residue_of_long(const long x, const Modulus of) {
  return nearest_residue(sum_of_long(x, of.low_weights, of.high_weights, of.start_of_long), of);
}

#ifdef COMPLEX
// The residues of re + root im and re - root im; of the conjugate number in the other order. All four sums of products
// together are below 2^19.
inlined uint2 residues_of_complex(const long re, const long im, const uint i, const Modulus of) {
  const uint low = turned_low_weights[i], high = turned_high_weights[i];
  const uint sum = sum_of_long(re, of.low_weights, of.high_weights, of.start_of_long);
  const uint turned = sum_of_long(im, low, high, -128 * ((int)high >> 24));
  return (uint2)(nearest_residue(sum + turned, of), nearest_residue(sum - turned, of));
}
#endif

// An integer over RANGE, modulo 1: the sum, over the moduli, of its residues times the fractions from `first` on.
typedef struct {
  ulong high;  // times 2^64
  long rest;   // times 2^96, on top
} Fraction;

#define COUNT (PLANES / PARTS)  // of moduli
#define MORE (128 * PARTS)

// Returns the start of a sum whose residues have MORE added to each.
inlined Fraction start_of_fraction(const uint first) {
  Fraction sum = {0, 0};
#pragma unroll
  for (uint i = first; i < first + COUNT; i++) {
    sum.high -= MORE * fractions[i];
    sum.rest -= MORE * (long)fractions_rest[i];
  }
  return sum;
}

// Adds a residue plus MORE; for complex integers the sum or the difference of two residues.
inlined void add_residue(Fraction* sum, const uint residue, const uint fraction) {
  sum->high += residue * fractions[fraction];
  sum->rest += (long)((ulong)residue * fractions_rest[fraction]);
}

// Nearest to zero: from -1/2 to 1/2.
static inline double value_of(const Fraction sum) {
  const long high = (long)(sum.high + (ulong)(sum.rest >> 32));
  return high * 0x1p-64 + (uint)sum.rest * 0x1p-96;
}
