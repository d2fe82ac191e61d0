// Ends a solve: measures the last vector p and its ratios s for the proof, and computes v = p / max p. Run by one
// work-group.
//   LOCAL_SIZE   work-items of the work-group, a power of two
//   ACCUMULATOR  see common/wide.cl
// Any n but 0.

#include "common/element.cl"
#include "common/vectors.cl"
#include "common/tree.cl"
#include "common/eigenpair.cl"

typedef struct {
  Bound minimum, largest, lowest, highest;  // of p and s
  uint unproven_row;
} Extent;

static inline Extent both(const Extent x, const Extent y) {
  const Extent result = {LESSER_BOUND(x.minimum, y.minimum), GREATER_BOUND(x.largest, y.largest),
                         LESSER_BOUND(x.lowest, y.lowest), GREATER_BOUND(x.highest, y.highest),
                         min(x.unproven_row, y.unproven_row)};
  return result;
}

// The vector is the first of the ring if `always`; otherwise the last round's, if the rounds have ended.
kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void eigenpair_finish(global State* restrict state, const uint always, const ulong n,
                      const Ring ring, global const component* restrict vectors, global const component* restrict s,
                      global element* restrict v) {
  local union {
    Extent extents[LOCAL_SIZE];
    component deviations[LOCAL_SIZE];
  } space;
  global const component* const p = vectors + place_of(ring, always != 0 ? 0 : state->rounds);
  const uint end = always != 0 || state->halt != 0 ? n : 0;
  const Bound zero = BOUND_OF(pair_of(0, 0)), maximum = BOUND_OF(pair_of(COMPONENT_MAX, 0));
  Extent own = {maximum, zero, maximum, zero, UINT_MAX}, all;
  for (uint i = get_local_id(0); i < end; i += LOCAL_SIZE) {
    const Pair entry = load_pair(p, n, i), ratio = load_pair(s, n, i);
    const bool proven = entry.high > 0 && entry.high <= COMPONENT_MAX && ratio.high <= COMPONENT_MAX;
    const Extent more = {BOUND_OF(entry), BOUND_OF(entry), BOUND_OF(ratio), BOUND_OF(ratio),
                         proven ? UINT_MAX : i};
    own = both(own, more);
  }
  TREE(space.extents, own, both, all);

  const Pair lowest = pair_of_bound(all.lowest), highest = pair_of_bound(all.highest);
  const Pair middle = add_pairs(scale_pair(lowest, (component)0.5), scale_pair(highest, (component)0.5));
  const Pair largest = {pair_of_bound(all.largest).high, 0};
  component own_deviation = 0, deviation;
  for (uint i = get_local_id(0); i < end; i += LOCAL_SIZE) {
    // Devices' own division of floats may give less than 1 for the largest.
    const Pair numerator = {load_pair(p, n, i).high, 0};
    const component entry = divide_pairs(numerator, largest).high;
    v[i] = (element)entry;
    own_deviation = max(own_deviation, distance_of(load_pair(s, n, i), middle) * entry);
  }
  TREE(space.deviations, own_deviation, max, deviation);
  if (end > 0 && get_local_id(0) == 0) {
    const Evidence evidence = {pair_of_bound(all.minimum), pair_of_bound(all.largest), lowest, highest, middle,
                               deviation, all.unproven_row};
    *EVIDENCE_OF(state) = evidence;
  }
}
