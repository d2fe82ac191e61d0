// Stages of local memory that all work-items fill by asynchronous copies while warps use others (NVIDIA, from Ampere
// on; PTX ISA 7.1, "cp.async.mbarrier.arrive", "mbarrier.test_wait"). A stage has two barriers. One is complete when
// its copies have arrived, the other when all warps have used it. So warps need not wait for one another in every step.
//   STAGES  2 or more

#include "common/async_copies.cl"
#include "nvidia/stage_barriers.cl"

// Steps from a copy to its use. With three stages or more, a warp may be a step behind the others.
#define STEPS_AHEAD (STAGES > 2 ? STAGES - 2 : 1)

// Arrives at the barrier, one arrival of each work-item, once all copies of this work-item so far have arrived.
#define ARRIVE_WITH_COPIES(barrier_of_stage) \
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier_of_stage) : "memory")

// Waits as WAIT_FOR_STAGE does, which needs Hopper.
#define WAIT_FOR_COPIES(barrier_of_stage, phase)                                                              \
  asm volatile("{.reg .pred p; wait: mbarrier.test_wait.parity.shared.b64 p, [%0], %1; @!p bra wait;}" ::"r"( \
                   barrier_of_stage),                                                                         \
               "r"(phase)                                                                                     \
               : "memory")

// Arrives for a warp that has used a stage. Called by all its lanes.
static inline void arrive_with_warp(const uint barrier_of_stage) {
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  if (get_local_id(0) % 32 == 0) arrive(barrier_of_stage);
}
