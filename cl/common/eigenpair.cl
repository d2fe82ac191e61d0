// The state of a solve on the device, laid out as the structs in lib/eigen/device_state.hpp. In memory there follow the
// records of the last rounds, the evidence, and what the work-groups of a round have found.
//   KEPT  rounds whose records are kept

#include "common/wide.cl"

#ifndef KEPT
#error "KEPT is not defined"
#endif

#define CONVERGED 1
#define MAX_ROUNDS 2
#define STALLED 3
#define UNDERFLOW 4
#define OVERFLOW 5
#define BAD_INPUT 6

// Marks an initialised state. If the command that makes the state failed and the runtime continued, its memory has
// other contents.
#define BEGUN 0x54555253

#define NO_CONCLUSION 0
#define BY_LAUNCH 1  // of its own, on devices without a fence for all work-groups
#define BY_LAST_GROUP 2

// Limits: the conditions that end the rounds.
typedef struct {
  component tolerance;  // of the bounds, relative; or of neighbouring row sums, absolute
  component smallest;   // a vector whose maximum is about 1 may not have less
  uint by_neighbours;   // 1: the stop test compares neighbouring row sums
  uint max_rounds;
  uint patience;       // rounds without narrower bounds
  uint conclusion;     // of rounds, as below
  uint long_patience;  // patience with a matrix that has zeros: an element's influence takes rounds to spread
  float subnormal;     // the least positive number of each type; the compiler must not know it
  component subnormal_component;
} Limits;

// Turns: the order of rounds within a launch; see common/turns.cl.
typedef struct {
  uint tickets;  // taken by work-groups of this launch
  uint arrived;  // work-groups that have done their rows of this round
  uint turn;     // the round that runs, counted from the launch's first
  uint begun;    // BEGUN
} Turns;

typedef struct {
  uint halt;                  // why the rounds have ended, as above; 0 while they run
  uint rounds;                // done so far
  uint stalled_iterations;    // rounds since the bounds last narrowed
  uint bad_row;               // first row that the solver cannot take
  uint zeros;                 // is any element 0?
  uint flushes;               // does the device take subnormal elements or components as 0?
  component scale;            // power of two by which the next round multiplies
  component min_width;        // least width of the bounds so far
  component gap, gap_before;  // what the stop test compared in the last two rounds: width or largest difference
  Pair lower, upper;          // bounds of the last round
  Limits limits;
  Turns turns;
} State;

typedef struct {
  Pair lower, upper;  // bounds
  component scale;    // what the round multiplied by
} IterationRecord;

// Evidence: measurements of a vector v and its ratios A v / v, from which the host proves bounds.
typedef struct {
  Pair minimum, largest;  // of the vector
  Pair lowest, highest;   // of the ratios
  Pair middle;            // of these
  component deviation;    // largest |ratio - middle| times its component, the vector's largest being 1
  uint unproven_row;      // first row whose component is not positive and finite, or whose ratio is not finite
} Evidence;

#define RECORDS_OF(state) ((global IterationRecord*)((state) + 1))
#define EVIDENCE_OF(state) ((global Evidence*)(RECORDS_OF(state) + KEPT))

// Reports what the first pass over A found in row i: the least element that is not NaN, and the sum. A row of zeros is
// no offence: it ends the rounds, see conclude().
static inline void inspect(global State* state, const ulong i, const component minimum, const component sum) {
  if (!(minimum >= 0) || !(sum <= COMPONENT_MAX)) {
    atomic_min(&state->bad_row, (uint)i);
  } else if (minimum == 0) {
    atomic_or(&state->zeros, 1u);
  }
}

// Concludes a round after its row sums: records their bounds and decides whether there is another round. `before` is
// the state so far, `scale` the factor of the new vector, `max_difference` the largest difference of neighbouring row
// sums. Called by one work-item.
static inline void conclude(global State* state, const State before, const component scale, const Pair lower,
                            const Pair upper, const component max_difference) {
  const Limits limits = before.limits;
  const component width = (upper.high - lower.high) + (upper.low - lower.low);
  global IterationRecord* own = RECORDS_OF(state) + before.rounds % KEPT;
  own->lower = lower;
  own->upper = upper;
  own->scale = scale;
  state->lower = lower;
  state->upper = upper;
  const bool narrower = width < before.min_width * (1 - (component)1e-9f);
  const uint stalled_iterations = narrower ? 0 : before.stalled_iterations + 1;
  state->stalled_iterations = stalled_iterations;
  if (narrower) state->min_width = width;
  state->gap_before = before.gap;
  state->gap = limits.by_neighbours != 0 ? max_difference : width;
  if (before.bad_row != UINT_MAX) {
    state->halt = BAD_INPUT;
  } else if (!(upper.high <= COMPONENT_MAX)) {
    state->halt = OVERFLOW;
  } else if (limits.by_neighbours != 0 ? max_difference < limits.tolerance : width <= limits.tolerance * upper.high) {
    state->halt = CONVERGED;
  } else if (!(lower.high > 0)) {
    state->halt = UNDERFLOW;
  } else if (before.rounds >= limits.max_rounds) {
    state->halt = MAX_ROUNDS;
  } else if (stalled_iterations > (before.zeros != 0 ? limits.long_patience : limits.patience)) {
    state->halt = STALLED;
  } else {
    state->rounds = before.rounds + 1;
  }
}
