// The end of an implicit round: each work-group reports what it found in its rows. The last one to report concludes, or
// the one work-group of a second launch.
//   LOCAL_SIZE  work-items of a work-group, a power of two
//   FAR         binary orders of magnitude between the maximum of q and 1 that the next round's scale can make up for;
//               beyond them, q is scaled here

#include "common/tree.cl"
#include "common/turns.cl"

#ifndef FAR
#error "FAR is not defined"
#endif

typedef struct {
  Bound lower, upper;          // of s
  component minimum, maximum;  // of q
  component max_difference;    // of neighbours in s
} Extremes;

static inline Extremes both(const Extremes x, const Extremes y) {
  const Extremes result = {LESSER_BOUND(x.lower, y.lower), GREATER_BOUND(x.upper, y.upper),
                           min(x.minimum, y.minimum), max(x.maximum, y.maximum),
                           max(x.max_difference, y.max_difference)};
  return result;
}

// Findings of consecutive rows, with the first and the last one's s.
typedef struct {
  Extremes extremes;
  Bound first, last;
} Findings;

#define FINDINGS_OF(state) ((global Findings*)(EVIDENCE_OF(state) + 1))

static inline Findings found_in_row(const Pair s, const Pair q) {
  const Pair endless = {INFINITY, 0};
  const Bound sum = BOUND_OF(s.high <= COMPONENT_MAX ? s : endless);  // comparisons would ignore NaN
  const component maximum = q.high + q.low;
  const Findings result = {{sum, sum, maximum, maximum, 0}, sum, sum};
  return result;
}

#define DIFFERENCE(s, next) distance_of(pair_of_bound(s), pair_of_bound(next))

// Joins the findings of rows x and of the rows y after them.
static inline Findings joined(const Findings x, const Findings y) {
  Findings result = {both(x.extremes, y.extremes), x.first, y.last};
  result.extremes.max_difference = max(result.extremes.max_difference, DIFFERENCE(x.last, y.first));
  return result;
}

// Concludes a round: the bounds of the row sums that `groups` work-groups have found, the largest difference of
// neighbours and the range of q; then the next round's scale, or the end. The turn is then next_turn's. Called by every
// work-item of one work-group.
static inline void conclude_round(global State* state, const uint groups, const uint next_turn, const ulong n,
                                  global component* q, local Extremes* space) {
  const State before = *state;
  global const Findings* const findings = FINDINGS_OF(state);
  Extremes own = {BOUND_OF(pair_of(COMPONENT_MAX, 0)), BOUND_OF(pair_of(0, 0)), COMPONENT_MAX, 0, 0}, all;
#ifdef cl_nv_pragma_unroll  // more loads in flight; PoCL does not unroll this loop and warns of it
#pragma unroll 4
#endif
  for (uint group = get_local_id(0); group < groups; group += LOCAL_SIZE) {
    const Findings found = findings[group];
    const Bound next = findings[group + 1 < groups ? group + 1 : 0].first;
    own = both(own, found.extremes);
    own.max_difference = max(own.max_difference, DIFFERENCE(found.last, next));
  }
  TREE(space, own, both, all);
  const int exponent = exponent_of(all.maximum);
  const component to_one = power_of_two(-exponent);
  const bool is_far = exponent > FAR || exponent < -FAR;  // possible after the first round
  if (is_far) {
    const ulong parts = ACCUMULATOR == 0 ? 2 * n : n;
    for (ulong i = get_local_id(0); i < parts; i += LOCAL_SIZE) q[i] *= to_one;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);  // q is scaled
  if (get_local_id(0) == 0) {
    const Pair lower = pair_of_bound(all.lower), upper = pair_of_bound(all.upper);
    state->scale = power_of_two(-exponent_of(upper.high) - (is_far ? 0 : exponent));
    conclude(state, before, is_far ? before.scale * to_one : before.scale, lower, upper, all.max_difference);
    if (state->halt == 0 && all.minimum * to_one < before.limits.smallest) {
      state->halt = UNDERFLOW;
      state->rounds = before.rounds;
    }
    pass_turn(&state->turns, state->halt == 0 ? next_turn : HALTED);
  }
}
