// After an implicit round, by one work-group: the bounds of its row sums s, the largest difference of neighbours and the
// range of q; then the next round's scale, or the end.
//   LOCAL_SIZE   work-items of the work-group, a power of two
//   ACCUMULATOR  see common/wide.cl
// Any n but 0.

// Binary orders of magnitude between the maximum of q and 1 that the next round's scale can make up for; q is scaled
// here beyond them.
#if ACCUMULATOR == 0
#define FAR 16
#else
#define FAR 64
#endif

// A sum as pairs are ordered; in double they are one number each.
#if ACCUMULATOR == 0
typedef Pair Bound;
#define bound_of(pair) (pair)
#define lesser_bound lesser_pair
#define greater_bound(x, y) ((y).high > (x).high || ((y).high == (x).high && (y).low > (x).low) ? (y) : (x))
#define pair_of_bound(bound) (bound)
#else
typedef part Bound;
#define bound_of(pair) ((pair).high)
#define lesser_bound lesser
#define greater_bound(x, y) ((y) > (x) ? (y) : (x))
#define pair_of_bound(bound) pair_of(bound, 0)
#endif

typedef struct {
  Bound lower, upper;     // of s
  part minimum, maximum;  // of q
  part max_difference;    // of neighbours in s
} Findings;

static inline Findings both(const Findings x, const Findings y) {
  const Findings result = {lesser_bound(x.lower, y.lower), greater_bound(x.upper, y.upper),
                           min(x.minimum, y.minimum), max(x.maximum, y.maximum), max(x.max_difference, y.max_difference)};
  return result;
}

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void eigenpair_conclude(global State* restrict state, const Limits limits, const part smallest, const ulong n,
                        global const part* restrict s, global part* restrict q) {
  local Findings space[LOCAL_SIZE];
  const State before = *state;
  const bool halted = before.halt != 0;
  const uint end = halted ? 0 : n;
  const Pair none = {PART_MAX, 0}, zero = {0, 0};
  Findings own = {bound_of(none), bound_of(zero), PART_MAX, 0, 0}, all;
#ifdef cl_nv_pragma_unroll  // more loads in flight; PoCL does not unroll this loop and warns of it
#pragma unroll 8
#endif
  for (uint i = get_local_id(0); i < end; i += LOCAL_SIZE) {
    const Pair as_is = load_pair(s, n, i), endless = {INFINITY, 0};
    const Pair sum = as_is.high <= PART_MAX ? as_is : endless;  // comparisons would ignore NaN
    const Pair next = load_pair(s, n, i + 1 < end ? i + 1 : 0);
    const part own_q = q[i];
    const Findings more = {bound_of(sum), bound_of(sum), own_q, own_q,
                           fabs((sum.high - next.high) + (sum.low - next.low))};
    own = both(own, more);
  }
  tree(space, own, both, all);
  const int exponent = exponent_of(all.maximum);
  const part to_one = power_of_two(-exponent);
  const bool is_far = exponent > FAR || exponent < -FAR;  // possible after the first round
  if (is_far) {
    const uint parts = ACCUMULATOR == 0 ? 2 * end : end;
    for (uint i = get_local_id(0); i < parts; i += LOCAL_SIZE) q[i] *= to_one;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);  // all work-items have read the state
  if (!halted && get_local_id(0) == 0) {
    const Pair lower = pair_of_bound(all.lower), upper = pair_of_bound(all.upper);
    state->scale = power_of_two(-exponent_of(upper.high) - (is_far ? 0 : exponent));
    conclude(state, before, limits, is_far ? before.scale * to_one : before.scale, lower, upper, all.max_difference);
    if (state->halt == 0 && all.minimum * to_one < smallest) {
      state->halt = UNDERFLOW;
      state->rounds = before.rounds;
    }
  }
}
