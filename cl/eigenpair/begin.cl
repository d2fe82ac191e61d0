// Begins the rounds: a fresh state, and p = 1.
//   ACCUMULATOR  see common/wide.cl

#include "common/element.cl"
#include "common/vectors.cl"
#include "common/eigenpair.cl"

kernel void eigenpair_begin(global State* restrict state, const Limits limits, const ulong n,
                            global component* restrict p) {
  const ulong i = get_global_id(0);
  const bool keeps_subnormals = (component)limits.subnormal > 0 && limits.subnormal * 0.75f > 0 &&
                                limits.subnormal_component * (component)0.75 > 0;
  // Fields have names: one that is not listed is 0, and a new one shifts no other.
  const State fresh = {.bad_row = UINT_MAX,
                       .flushes = keeps_subnormals ? 0 : 1,
                       .scale = 1,
                       .min_width = COMPONENT_MAX,
                       .gap = COMPONENT_MAX,
                       .gap_before = COMPONENT_MAX,
                       .limits = limits,
                       .turns = {.begun = BEGUN}};
  const Pair one = {1, 0};
  if (i == 0) *state = fresh;
  if (i < n) store_pair(one, p, n, i);
}

// Continues the rounds with number `rounds`, from a vector whose largest component is about 1, or is scaled to about 1
// by the next round. Run by one work-item.
kernel void eigenpair_begin_again(global State* restrict state, const Limits limits, const uint rounds) {
  state->halt = 0;
  state->rounds = rounds;
  state->stalled_iterations = 0;
  state->min_width = COMPONENT_MAX;
  state->limits = limits;
  state->turns.turn = 0;
  const component upper = state->upper.high;
  state->scale = upper > 0 && upper <= COMPONENT_MAX ? power_of_two(-exponent_of(upper)) : 1;
}

// p = 1.
kernel void eigenpair_begin_ones(const ulong n, global component* restrict p) {
  const ulong i = get_global_id(0);
  const Pair one = {1, 0};
  if (i < n) store_pair(one, p, n, i);
}
