// Work-groups of a launch that build on one another: the last one to arrive is told so.
//   ARRIVING  work-items of a work-group that call these functions, if not all (NVIDIA)
//   DEVICE_FENCE  orders a work-item's accesses to global memory for all work-groups: 0 as in OpenCL C, 1 NVIDIA PTX

#ifndef DEVICE_FENCE
#error "DEVICE_FENCE is not defined"
#endif

#if DEVICE_FENCE == 1
#define FENCE_DEVICE() asm volatile("membar.gl;" : : : "memory")
#elif __OPENCL_C_VERSION__ == 200 || defined(__opencl_c_atomic_scope_device)
#define FENCE_DEVICE() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#else  // only the end of a launch orders work-groups
#define FENCE_DEVICE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

#ifdef ARRIVING
#define BARRIER_OF_ARRIVING() asm volatile("bar.sync 1, %0;" ::"n"(ARRIVING) : "memory")
#else
#define BARRIER_OF_ARRIVING() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// True in the last of `groups` work-groups to call this with `counts`, which can read what the others wrote before. By
// every work-item of a work-group, or ARRIVING of them, whose `told` is; `arrived` is 0 before and after.
static inline bool all_have_arrived(global uint* arrived, const uint groups, const bool counts, local uint* told) {
  BARRIER_OF_ARRIVING();
  if (get_local_id(0) == 0) {
    *told = 0;
    if (counts) {
      FENCE_DEVICE();
      *told = atomic_inc(arrived) == groups - 1;
      if (*told != 0) *arrived = 0;
      FENCE_DEVICE();
    }
  }
  BARRIER_OF_ARRIVING();
  return *told != 0;
}
