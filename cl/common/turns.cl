// Work-groups of a launch that build on one another: the last one to arrive is told so, and rounds take turns.
//   DEVICE_FENCE  orders a work-item's accesses to global memory for all work-groups: 0 as in OpenCL C, 1 NVIDIA PTX

#ifndef DEVICE_FENCE
#error "DEVICE_FENCE is not defined"
#endif

#if DEVICE_FENCE == 1
#define device_fence() asm volatile("membar.gl;" : : : "memory")
#elif __OPENCL_C_VERSION__ == 200 || defined(__opencl_c_atomic_scope_device)
#define device_fence() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#else  // where nothing but the end of a launch orders work-groups
#define device_fence() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

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
// read. Ends where work-groups that have begun go on: the turn is passed by those with lower tickets.
static inline void wait_for_turn(global Turns* turns, const uint round) {
  if (round > 0 && get_local_id(0) == 0) {
    while (*(volatile global uint*)&turns->turn < round) {
    }
    device_fence();
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// By one work-item, after a barrier: the next turn is that of `round`, or HALTED.
static inline void pass_turn(global Turns* turns, const uint round) {
  device_fence();
  *(volatile global uint*)&turns->turn = round;
}

// Have all `groups` work-groups of a round called this, each with `counts`? Then what they wrote before can be read.
static inline bool all_have_arrived(global Turns* turns, const uint groups, const bool counts, local uint* told) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    *told = 0;
    if (counts) {
      device_fence();
      *told = atomic_inc(&turns->arrived) == groups - 1;
      if (*told != 0) turns->arrived = 0;
      device_fence();
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  return *told != 0;
}
