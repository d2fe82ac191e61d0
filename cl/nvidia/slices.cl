// Slices: integers of 32 bits as SLICES signed bytes; slice s has the weight 256^s. Modulo 2^32 a product is the sum of
// the products of slices a of A and b of B with a + b < SLICES, each times its weight 256^(a + b). Pairs are ordered by
// weight, the highest first: sums of one weight are multiplied by 256 before pairs of the next are added.
//   SLICES  4, or 1: bytes are integers by themselves

#ifndef SLICES
#error "SLICES is not defined"
#endif

// Pairs whose weight is at least 256^weight.
#define PAIRS_FROM(weight) ((SLICES - (weight)) * (SLICES + (weight) + 1) / 2)

// A step of a block: the slice of A that is multiplied by one of B, and its depth in both, in steps.
typedef struct {
  uint a, b, depth;
} SlicedStep;

// The exponent of the weight of a step; a pair takes `deep` of them.
static inline uint weight_of(const uint step, const uint deep) {
  uint weight = SLICES - 1;
#pragma unroll
  for (uint lower = 1; lower < SLICES; lower++) weight -= step >= PAIRS_FROM(SLICES - lower) * deep ? 1 : 0;
  return weight;
}

// Returns the last step of a weight, at most `end`.
static inline uint end_in_weight(const uint end, const uint weight, const uint deep) {
  return SLICES == 1 ? end : min(end, PAIRS_FROM(weight) * deep);
}

static inline SlicedStep sliced_step(const uint step, const uint deep) {
  if (SLICES == 1) return (SlicedStep){0, 0, step};
  const uint pair = step / deep, weight = weight_of(step, deep), a = pair - PAIRS_FROM(weight + 1);
  return (SlicedStep){a, weight - a, step - pair * deep};
}
