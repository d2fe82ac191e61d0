// Stages of local memory that all work-items fill by asynchronous copies while warps use others (NVIDIA, from Ampere on;
// PTX ISA 7.0, "cp.async.mbarrier.arrive", "mbarrier.test_wait"). A stage has two barriers: one is complete when its
// copies have arrived, the other when all warps have used it. So warps need not wait for one another in every step.
//   STAGES  2 or more

#include "common/async_copies.cl"
#include "nvidia/bulk_copies.cl"

// Steps from a copy to its use. With three stages or more, a warp may be a step behind the others.
#define STEPS_AHEAD (STAGES > 2 ? STAGES - 2 : 1)

// Copies 16 bytes if `wanted`, else does nothing. On an H200, copies with a number of bytes in a register take longer.
#define COPY_PIECE_IF(wanted, to, from)                                                                       \
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p cp.async.cg.shared.global [%0], [%1], 16;}" ::"r"(to), \
               "l"(from), "r"((uint)(wanted))                                                                 \
               : "memory")

// Arrives at the barrier, one arrival of each work-item, once all copies of this work-item so far have arrived.
#define ARRIVE_WITH_COPIES(barrier_of_stage) \
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier_of_stage) : "memory")

// Waits as WAIT_FOR_STAGE does, which needs Hopper.
#define WAIT_FOR_COPIES(barrier_of_stage, phase)                                                              \
  asm volatile("{.reg .pred p; wait: mbarrier.test_wait.parity.shared.b64 p, [%0], %1; @!p bra wait;}" ::"r"( \
                   barrier_of_stage),                                                                         \
               "r"(phase)                                                                                     \
               : "memory")
