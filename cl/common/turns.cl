// Rounds that take turns in one launch: each waits for the one before, whose last work-group to arrive passes the turn.

#include "common/eigenpair.cl"
#include "common/fences.cl"

#define HALTED UINT_MAX

// Every work-item of a work-group calls all functions but pass_turn; `told` is the work-group's.

// The number of this work-group in a launch of several rounds: in the order in which work-groups begin.
static inline uint take_ticket(global Turns* turns, const uint rounds, local uint* told) {
  if (get_local_id(0) == 0) {
    *told = rounds > 1 ? atomic_inc(&turns->tickets) : (uint)get_group_id(0);
    if (rounds > 1 && *told == get_num_groups(0) - 1) turns->tickets = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return *told;
}

// Waits until it is the turn of `round`, or the rounds have halted. Writes before the turn was passed can then be read.
// The wait ends because work-groups with lower tickets have begun, and pass the turn. If the state was never made, its
// tickets are arbitrary, and the wait ends at once.
static inline void wait_for_turn(global Turns* turns, const uint round) {
  if (round > 0 && get_local_id(0) == 0) {
    while (*(volatile global uint*)&turns->turn < round && *(volatile global uint*)&turns->begun == BEGUN) {
    }
    FENCE_DEVICE();
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// Passes the turn to `round`, or HALTED. Called by one work-item, after a barrier.
static inline void pass_turn(global Turns* turns, const uint round) {
  FENCE_DEVICE();
  *(volatile global uint*)&turns->turn = round;
}
