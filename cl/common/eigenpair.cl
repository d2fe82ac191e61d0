// State of a solve on the device, as the host's structs in lib/eigen/device_state.hpp; behind it what is kept of the
// last rounds.

typedef struct {
  uint halt;      // why the rounds have ended, as below; 0 while they go on
  uint rounds;    // done so far
  uint stalled_iterations;      // rounds since the bounds last came closer
  uint bad_row;   // first row that the solver cannot take
  uint zeros;     // is any element 0?
  part scale;     // power of two by which the next round multiplies
  part min_width;   // least width of the bounds so far
  part gap, gap_before;  // what the stop test looked at in the last two rounds: width or difference of neighbours
  Pair lower, upper;
} State;

typedef struct {
  Pair lower, upper;  // bounds
  part scale;         // that the round multiplied by
} IterationRecord;

#define CONVERGED 1
#define MAX_ROUNDS 2
#define STALLED 3
#define UNDERFLOW 4
#define OVERFLOW 5
#define BAD_INPUT 6

// When rounds end.
typedef struct {
  part tolerance;      // of the bounds, relative, or of neighbouring row sums
  uint by_neighbours;
  uint max_rounds;
  uint patience;       // rounds without closer bounds
  uint kept;           // rounds of which something is kept
  uint long_patience;  // the same for a matrix with zeros, in which an element's influence travels
} Limits;

// What the first pass over A finds in row i: its least element, not counting NaN, and its sum.
static inline void inspect(global State* state, const ulong i, const part minimum, const part sum) {
  if (!(minimum >= 0) || !(sum > 0 && sum <= PART_MAX)) {
    atomic_min(&state->bad_row, (uint)i);
  } else if (minimum == 0) {
    atomic_or(&state->zeros, 1u);
  }
}

// After the row sums of a round, by one work-item: their bounds, and whether there is another round. `before` is the
// state so far, `scale` what the new vector has been multiplied by, `apart` the largest difference of neighbours.
static inline void conclude(global State* state, const State before, const Limits limits, const part scale,
                            const Pair lower, const Pair upper, const part max_difference) {
  const part width = (upper.high - lower.high) + (upper.low - lower.low);
  const uint kept = limits.kept;
  global IterationRecord* own = (global IterationRecord*)(state + 1) + before.rounds % kept;
  own->lower = lower;
  own->upper = upper;
  own->scale = scale;
  state->lower = lower;
  state->upper = upper;
  const bool closer = width < before.min_width * (1 - (part)1e-9);
  const uint stalled_iterations = closer ? 0 : before.stalled_iterations + 1;
  state->stalled_iterations = stalled_iterations;
  if (closer) state->min_width = width;
  state->gap_before = before.gap;
  state->gap = limits.by_neighbours != 0 ? max_difference : width;
  if (before.bad_row != UINT_MAX) {
    state->halt = BAD_INPUT;
  } else if (!(upper.high <= PART_MAX)) {
    state->halt = OVERFLOW;
  } else if (limits.by_neighbours != 0 ? max_difference < limits.tolerance : width <= limits.tolerance * upper.high) {
    state->halt = CONVERGED;
  } else if (before.rounds >= limits.max_rounds) {
    state->halt = MAX_ROUNDS;
  } else if (stalled_iterations > (before.zeros != 0 ? limits.long_patience : limits.patience)) {
    state->halt = STALLED;
  } else {
    state->rounds = before.rounds + 1;
  }
}
