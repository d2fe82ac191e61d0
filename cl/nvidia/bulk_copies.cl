// Stages: blocks of local memory that bulk copies fill while others are used (NVIDIA, from Hopper on; PTX ISA 8.0,
// "cp.async.bulk" and "mbarrier"). A stage has a barrier of its own, on which work-items wait for its bytes.
//   STAGES  blocks in flight
// Local arrays may have 224 KiB on these devices, more than CL_DEVICE_LOCAL_MEM_SIZE.

#include "nvidia/stage_barriers.cl"

// Makes the barriers visible before others use them. Called by one work-item.
static inline void publish_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

// Announces `bytes` bytes that will arrive in the barrier's stage. Called by one work-item.
static inline void expect_bytes(const uint barrier_of_stage, const uint bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier_of_stage), "r"(bytes) : "memory");
}

// Bytes and addresses are multiples of 16.
static inline void copy_bytes(const uint to, global const void* from, const uint bytes, const uint barrier_of_stage) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier_of_stage)
               : "memory");
}

// Waits until the barrier has been completed as often as makes `phase` its parity: 0, 1, 0, ...
#define WAIT_FOR_STAGE(barrier_of_stage, phase)                                                               \
  asm volatile("{.reg .pred p; wait: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra wait;}" :: \
                   "r"(barrier_of_stage),                                                                     \
               "r"(phase)                                                                                     \
               : "memory")
