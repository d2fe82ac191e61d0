// Own work of a thread, outside of OpenCL's functions: allocations, and reads of environment
// variables.
#pragma once

#include <cstddef>

namespace tessera::test {

/// Counts what the calling thread does outside of OpenCL's functions, from here on.
void count_own_work();
/// Allocations since then.
long allocations();
/// Environment variables that were looked up since then.
long look_ups();

/// Counts allocations from here on, and lets allocation number `number` (from 0) fail; -1: none.
void fail_allocation(long number);
/// Allocations are not counted, and none fails.
void allow_allocations();

/// Called for all memory that is freed, with its size; null for nothing.
void watch_frees(void (*watch)(const void* memory, std::size_t bytes));

/// While this lives, the thread is in one of OpenCL's functions.
struct OpenClCall {
  OpenClCall() { depth++; }
  OpenClCall(const OpenClCall&) = delete;
  OpenClCall& operator=(const OpenClCall&) = delete;
  ~OpenClCall() { depth--; }
  static inline thread_local int depth = 0;
};

}  // namespace tessera::test
