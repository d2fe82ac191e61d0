// Looks at every element of A: which is the first row with a negative, infinite or NaN element or with none but zeros,
// is there any zero, and the exponent of the largest element.
//   GROUP  work-items of a work-group, a power of two; a work-group a row
// Any n but 0. Before it eigenpair_check_begin has made the state.

#if ELEMENT == 0
typedef uint word;
#define as_word as_uint
#define as_number as_float
#define INFINITE 0x7f800000u
#else
typedef ulong word;
#define as_word as_ulong
#define as_number as_double
#define INFINITE 0x7ff0000000000000ul
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void eigenpair_check(global State* restrict state, const ulong n, global const element* restrict a, const Rows a_at) {
  local word space[GROUP];
  const ulong i = get_group_id(0);
  a += a_at.offset + i * a_at.row;
  // Positive numbers are ordered as their bits are; negative ones and NaN come after infinity.
  word least = INFINITE, most = 0, all_least, all_most;
  for (ulong j = get_local_id(0); j < n; j += GROUP) {
    const word bits = a[j] == 0 ? (word)0 : as_word(a[j]);
    least = min(least, bits);
    most = max(most, bits);
  }
  tree(space, least, min, all_least);
  tree(space, most, max, all_most);
  if (get_local_id(0) == 0) {
    if (all_most == 0 || all_most >= INFINITE) {
      atomic_min(&state->bad_row, (uint)i);
    } else {
      if (all_least == 0) atomic_or(&state->zeros, 1u);
      atomic_max(&state->exponent, ilogb(as_number(all_most)));
    }
  }
}

// After it, by one work-item: no rounds for a matrix that they cannot take, and the first round's scale.
kernel void eigenpair_check_done(global State* restrict state, const ulong n) {
  if (state->bad_row < n) state->halt = BAD_INPUT;
  state->scale = ldexp((part)1, -state->exponent - ilogb((float)n));
}

kernel void eigenpair_check_begin(global State* restrict state) {
  const State fresh = {0, 0, 0, UINT_MAX, 0, INT_MIN, 1, PART_MAX, {0, 0}, {0, 0}};
  *state = fresh;
}
