// Residues: integers represented by their residues modulo small numbers without common divisors. A result that is exact
// modulo each of them is exact modulo RANGE, their product. The Chinese remainder theorem recovers it (Ozaki, Uchino
// and Imamura, "Ozaki scheme II", arXiv 2504.08009; Uchino, Ozaki and Imamura, arXiv 2508.03984). Residues are the ones
// nearest to zero, which fit into a signed byte.
//   PLANES          the count of moduli
//   MODULI          the moduli, at most 256 each
//   INVERSES        the floats nearest to 1 / modulus
//   LOW_WEIGHTS     per modulus the residues of 256^0 to 256^3, as the bytes of a word
//   HIGH_WEIGHTS    per modulus the residues of 256^4 to 256^7
//   STARTS          per modulus its largest multiple of 256 up to 1.5 * 2^23
//   FRACTIONS       per modulus 2^64 * f / modulus, for the integer f with f * RANGE / modulus = 1 modulo the modulus
//   FRACTIONS_REST  the next 32 bits

#include "common/element.cl"
#include "nvidia/word_bytes.cl"

constant float moduli[] = {MODULI};
constant float inverses[] = {INVERSES};
constant uint low_weights[] = {LOW_WEIGHTS};
constant uint high_weights[] = {HIGH_WEIGHTS};
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
inlined Modulus modulus_of(const uint plane) {
  const uint low = low_weights[plane], high = high_weights[plane];
  const uint start = as_uint(starts[plane]);
  const float inverse = inverses[plane];
  return (Modulus){low, high, start - 128 * ((int)low >> 24), start - 128 * ((int)high >> 24), moduli[plane], inverse,
                   fma(starts[plane], inverse, ROUNDING)};
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

static inline uint residue_of_long(const long x, const Modulus of) {
  const uint sum = add_products((uint)((ulong)x >> 32) ^ 0x80000000, of.high_weights, of.start_of_long);
  return nearest_residue(add_products((uint)x, of.low_weights, sum), of);
}

// An integer over RANGE, modulo 1: the sum, over the moduli, of its residues times the fractions.
typedef struct {
  ulong high;  // times 2^64
  long rest;   // times 2^96, on top
} Fraction;

// Returns the start of a sum whose residues have 128 added to each.
inlined Fraction start_of_fraction(void) {
  Fraction sum = {0, 0};
#pragma unroll
  for (uint plane = 0; plane < PLANES; plane++) {
    sum.high -= 128 * fractions[plane];
    sum.rest -= 128 * (long)fractions_rest[plane];
  }
  return sum;
}

// Adds a byte, which is a residue plus 128.
inlined void add_residue(Fraction* sum, const uint residue, const uint plane) {
  sum->high += residue * fractions[plane];
  sum->rest += (long)((ulong)residue * fractions_rest[plane]);
}

// Nearest to zero: from -1/2 to 1/2.
static inline double value_of(const Fraction sum) {
  const long high = (long)(sum.high + (ulong)(sum.rest >> 32));
  return high * 0x1p-64 + (uint)sum.rest * 0x1p-96;
}
