// Integers of 32 bits as SLICES slices of a byte, signed, of which the first counts ones and each next one 256 times as
// much. Modulo 2^32 a product is the sum of those pairs of slices, a of A and b of B, with a + b < SLICES, each times
// 256^(a + b), its weight. Pairs come in the order of their weights, the highest first, so that sums of one weight need
// only be multiplied by 256 before those of the next are added.
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

// Where steps up to `end` leave those of a weight.
static inline uint end_in_weight(const uint end, const uint weight, const uint deep) {
  return SLICES == 1 ? end : min(end, PAIRS_FROM(weight) * deep);
}

static inline SlicedStep sliced_step(const uint step, const uint deep) {
  if (SLICES == 1) return (SlicedStep){0, 0, step};
  const uint pair = step / deep, weight = weight_of(step, deep), a = pair - PAIRS_FROM(weight + 1);
  return (SlicedStep){a, weight - a, step - pair * deep};
}
