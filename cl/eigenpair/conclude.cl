// Concludes an implicit round by one work-group, if the round's last work-group does not: see common/round_end.cl.
//   LOCAL_SIZE  work-items of the work-group, a power of two

#include "common/element.cl"
#include "common/vectors.cl"
#include "common/round_end.cl"

kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1)))
void eigenpair_conclude(global State* state, const uint groups, const ulong n, const Ring ring,
                        global component* vectors) {
  local Extremes space[LOCAL_SIZE];
  global component* const q = vectors + place_of(ring, 1);
  if (state->halt == 0 && state->limits.conclusion != NO_CONCLUSION) conclude_round(state, groups, 0, n, q, space);
}
