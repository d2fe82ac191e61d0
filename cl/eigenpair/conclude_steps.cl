// Concludes a round in steps: its bounds and its stop test go into the state. Run by one work-item.
//   ACCUMULATOR  see common/wide.cl

#include "common/element.cl"
#include "common/vectors.cl"
#include "common/eigenpair.cl"

kernel void eigenpair_conclude_steps(global State* restrict state,
                                     global const element* restrict bounds,  // lower, upper
                                     global const int* restrict neighbours_agree) {
  const State before = *state;
  if (before.halt != 0) return;
  const Pair lower = {bounds[0], 0}, upper = {bounds[1], 0};
  const bool agree = before.limits.by_neighbours != 0 && neighbours_agree[0] != 0;
  conclude(state, before, 1, lower, upper, agree ? 0 : COMPONENT_MAX);
}
