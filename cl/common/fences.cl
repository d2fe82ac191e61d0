// Work-groups of a launch that build on one another: the last one to arrive is told so.
//   ARRIVING  work-items of a work-group that call these functions, if not all (NVIDIA)
//   DEVICE_FENCE  orders a work-item's accesses to global memory for all work-groups: 0 as in OpenCL C, 1 NVIDIA PTX,
//                 2 PTX from Ampere on: fences of acquire and release, which are faster (PTX ISA 6.0, "fence", "atom")

#ifndef DEVICE_FENCE
#error "DEVICE_FENCE is not defined"
#endif

#if DEVICE_FENCE == 2
#define FENCE_DEVICE() asm volatile("fence.acq_rel.gpu;" : : : "memory")
#elif DEVICE_FENCE == 1
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

// True for the last of `groups` work-items to call this, which can read what the others wrote before. `*arrived` is 0
// before and after.
#if DEVICE_FENCE == 2
static inline bool arrives_last(global uint* arrived, const uint groups) {
  uint before;  // the count after groups - 1 is 0 again
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(arrived), "r"(groups - 1)
               : "memory");
  return before == groups - 1;
}
#else
static inline bool arrives_last(global uint* arrived, const uint groups) {
  FENCE_DEVICE();
  const bool is_last = atomic_inc(arrived) == groups - 1;
  if (is_last) *arrived = 0;
  FENCE_DEVICE();
  return is_last;
}
#endif

// True in the last of `groups` work-groups to call this with `counts`, which can read what the others wrote before. By
// every work-item of a work-group, or ARRIVING of them, whose `told` is; `arrived` is 0 before and after.
static inline bool all_have_arrived(global uint* arrived, const uint groups, const bool counts, local uint* told) {
  BARRIER_OF_ARRIVING();
  if (get_local_id(0) == 0) *told = counts && arrives_last(arrived, groups);
  BARRIER_OF_ARRIVING();
  return *told != 0;
}
