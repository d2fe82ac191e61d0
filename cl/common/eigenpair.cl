// State of a solve on the device, as the host's struct in lib/eigen/device_state.hpp; behind it the lower and upper
// bounds of the last rounds.

typedef struct {
  uint halt;      // why the rounds have ended, as below; 0 while they go on
  uint rounds;    // done so far
  uint idle;      // rounds since the bounds last came closer
  uint bad_row;   // first row that the solver cannot take
  uint zeros;     // is any element 0?
  int exponent;   // of the largest element
  part scale;     // power of two by which the next round multiplies
  part closest;   // least width of the bounds so far
  Pair lower, upper;
} State;

#define CONVERGED 1
#define MAX_ROUNDS 2
#define STALLED 3
#define UNDERFLOW 4
#define OVERFLOW 5
#define BAD_INPUT 6

// When rounds end.
typedef struct {
  part tolerance;      // of the bounds, relative
  uint by_neighbours;  // or where neighbouring row sums agree
  uint max_rounds;
  uint patience;       // rounds without closer bounds
  uint kept;           // rounds whose bounds lie behind the state
  uint long_patience;  // the same for a matrix with zeros, in which an element's influence travels
} Limits;

// After the row sums of a round, by one work-item: their bounds, and whether there is another round.
static inline void conclude(global State* state, const Limits limits, const Pair lower, const Pair upper,
                            const bool neighbours_agree) {
  const part width = (upper.high - lower.high) + (upper.low - lower.low);
  const uint kept = limits.kept;
  global Pair* history = (global Pair*)(state + 1);
  history[2 * (state->rounds % kept)] = lower;
  history[2 * (state->rounds % kept) + 1] = upper;
  state->lower = lower;
  state->upper = upper;
  const bool closer = width < state->closest * (1 - (part)1e-9);
  state->idle = closer ? 0 : state->idle + 1;
  if (closer) state->closest = width;
  if (!(upper.high <= PART_MAX)) {
    state->halt = OVERFLOW;
  } else if (limits.by_neighbours != 0 ? neighbours_agree : width <= limits.tolerance * upper.high) {
    state->halt = CONVERGED;
  } else if (state->rounds >= limits.max_rounds) {
    state->halt = MAX_ROUNDS;
  } else if (state->idle > (state->zeros != 0 ? limits.long_patience : limits.patience)) {
    state->halt = STALLED;
  } else {
    state->rounds++;
  }
}
