// Begins the rounds: a fresh state, and p = 1.
//   ACCUMULATOR  see common/wide.cl

kernel void eigenpair_begin(global State* restrict state, const Limits limits, const ulong n,
                            global component* restrict p) {
  const ulong i = get_global_id(0);
  const bool keeps_subnormals = (component)limits.subnormal > 0 && limits.subnormal * 0.75f > 0 &&
                                limits.subnormal_component * (component)0.75 > 0;
  const State fresh = {0, 0, 0, UINT_MAX, 0, keeps_subnormals ? 0 : 1, 1, COMPONENT_MAX, COMPONENT_MAX, COMPONENT_MAX,
                       {0, 0}, {0, 0}, limits, {0, 0, 0, BEGUN}};
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
