// Barriers of stages of local memory, which are filled while others are used (NVIDIA, from Ampere on; PTX ISA 7.8,
// "mbarrier").
//   STAGES  blocks in flight

#include "common/local_address.cl"

#ifndef STAGES
#error "STAGES is not defined"
#endif

// Makes the barriers of stages. `arrivals` arrivals complete a barrier. Called by one work-item.
static inline void make_barriers(const uint barriers, const uint arrivals) {
#pragma unroll
  for (uint s = 0; s < STAGES; s++) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barriers + 8 * s), "r"(arrivals) : "memory");
  }
}

// Makes one of the arrivals that complete a barrier.
static inline void arrive(const uint barrier_of_stage) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier_of_stage) : "memory");
}

// The next stage and its phase.
static inline void advance(uint* stage, uint* phase) {
  if (++*stage == STAGES) {
    *stage = 0;
    *phase ^= 1;
  }
}
