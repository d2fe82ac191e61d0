// Asynchronous copies from global to local memory, while work-items compute (NVIDIA, from Ampere on; PTX ISA 7.0,
// "cp.async").

#include "common/local_address.cl"

// Copies the first `bytes` of `size` bytes, 4 or 8; the others become zero, and with 0 nothing is read.
#define COPY_FIRST_LATER(to, from, size, bytes)                                                          \
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(size), "r"(bytes) \
               : "memory")
// Copies `bytes` bytes, 4 or 8; without `is_there`, they become zero and nothing is read.
#define COPY_LATER(to, from, bytes, is_there) COPY_FIRST_LATER(to, from, bytes, (is_there) ? (bytes) : 0)
// Copies `bytes` bytes if `wanted`, else does nothing.
#define COPY_ALL_LATER(wanted, to, from, bytes)                                                                   \
  asm volatile("{.reg .pred p; setp.ne.u32 p, %3, 0; @p cp.async.ca.shared.global [%0], [%1], %2;}" ::"r"(to),    \
               "l"(from), "n"(bytes), "r"(wanted)                                                                 \
               : "memory")

// Copies 16 bytes, from and to multiples of 16.
#define COPY_PIECE_LATER(to, from) \
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory")
// The same if `wanted`, else nothing. On an H200, copies with a number of bytes in a register take longer.
#define COPY_PIECE_IF(wanted, to, from)                                                                       \
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p cp.async.cg.shared.global [%0], [%1], 16;}" ::"r"(to), \
               "l"(from), "r"((uint)(wanted))                                                                 \
               : "memory")
// Copies the first `bytes` of 16; the others become zero, and with 0 nothing is read.
#define COPY_BYTES_LATER(to, from, bytes) \
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory")

// What was copied since the last call is a group, which may be empty.
#define CLOSE_GROUP() asm volatile("cp.async.commit_group;" ::: "memory")

// Waits until at most the last `open` groups of this work-item are in flight.
#define WAIT_FOR_GROUPS(open) asm volatile("cp.async.wait_group %0;" ::"n"(open) : "memory")
