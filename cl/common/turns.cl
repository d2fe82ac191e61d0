// Rounds that take turns in one launch: each waits for the one before, whose last work-group to arrive passes the turn.

#define HALTED UINT_MAX

// All functions but pass_turn: by every work-item of a work-group; `told` is the work-group's.

// The number of this work-group in a launch of several rounds: in the order in which work-groups begin.
static inline uint take_ticket(global Turns* turns, const uint rounds, local uint* told) {
  if (get_local_id(0) == 0) {
    *told = rounds > 1 ? atomic_inc(&turns->tickets) : (uint)get_group_id(0);
    if (rounds > 1 && *told == get_num_groups(0) - 1) turns->tickets = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return *told;
}

// Until the turn is that of `round`, or the rounds have halted. What was written before the turn was passed can then be
// read. Ends where work-groups that have begun go on: the turn is passed by those with lower tickets; and where nothing
// was begun, for then the tickets may be any.
static inline void wait_for_turn(global Turns* turns, const uint round) {
  if (round > 0 && get_local_id(0) == 0) {
    while (*(volatile global uint*)&turns->turn < round && *(volatile global uint*)&turns->begun == BEGUN) {
    }
    FENCE_DEVICE();
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// By one work-item, after a barrier: the next turn is that of `round`, or HALTED.
static inline void pass_turn(global Turns* turns, const uint round) {
  FENCE_DEVICE();
  *(volatile global uint*)&turns->turn = round;
}
