// After an implicit round, by one work-group: the bounds of its row sums s, whether neighbours agree, how far q has
// gone from 1; then the next round's scale, or the end.
//   GROUP  work-items of the work-group, a power of two
//   WIDE   see common/wide.cl
// Any n but 0.

#define lesser(x, y) ((y).high < (x).high || ((y).high == (x).high && (y).low < (x).low) ? (y) : (x))
#define greater(x, y) ((y).high > (x).high || ((y).high == (x).high && (y).low > (x).low) ? (y) : (x))

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void eigenpair_conclude(global State* restrict state, const Limits limits, const part neighbour_tolerance, const part smallest, const ulong n,
                        global const part* restrict s, global const part* restrict q) {
  local Pair space[GROUP];
  const bool halted = state->halt != 0;
  const ulong end = halted ? 0 : n;
  Pair lower = {PART_MAX, 0}, upper = {0, 0};
  Pair range = {PART_MAX, 0};  // least and largest of q
  part apart = 0;
  for (ulong i = get_local_id(0); i < end; i += GROUP) {
    const Pair as_is = load_pair(s, n, i), endless = {INFINITY, 0};
    const Pair own = as_is.high <= PART_MAX ? as_is : endless;  // not NaN, which compares with nothing
    const Pair next = load_pair(s, n, i + 1 < n ? i + 1 : 0);
    lower = lesser(lower, own);
    upper = greater(upper, own);
    const part difference = fabs((own.high - next.high) + (own.low - next.low));
    // A NaN agrees with nothing.
    apart = difference < neighbour_tolerance ? apart : 1;
    range.high = min(range.high, q[i]);
    range.low = max(range.low, q[i]);
  }
  Pair result, all_lower, all_upper, all_range;
  tree(space, lower, lesser, all_lower);
  tree(space, upper, greater, all_upper);
#define of_ranges(x, y) ((Pair){min((x).high, (y).high), max((x).low, (y).low)})
  tree(space, range, of_ranges, all_range);
#define of_apart(x, y) ((Pair){max((x).high, (y).high), 0})
  const Pair own_apart = {apart, 0};
  tree(space, own_apart, of_apart, result);
  barrier(CLK_GLOBAL_MEM_FENCE);  // all have read the state
  if (!halted && get_local_id(0) == 0) {
    const int exponent = ilogb(all_range.low);
    state->scale = ldexp((part)1, -ilogb(all_upper.high) - exponent);
    conclude(state, limits, all_lower, all_upper, result.high == 0);
    if (state->halt == 0 && ldexp(all_range.high, -exponent) < smallest) {
      state->halt = UNDERFLOW;
      state->rounds--;
    }
  }
}

// Rounds go on from number `rounds`.
kernel void eigenpair_conclude_resume(global State* restrict state, const uint rounds) {
  state->halt = 0;
  state->rounds = rounds;
  state->idle = 0;
  state->closest = PART_MAX;
}
