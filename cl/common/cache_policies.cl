// Reads of a matrix that keep its beginning in the L2 cache from one pass over the matrix to the next. If the matrix is
// larger than the cache, later passes read less of it from memory (NVIDIA, from Ampere on; PTX ISA 7.4, "createpolicy"
// and the cache hints of "ld").
//   CACHED_MIB  MiB that stay; 0: none, by plain reads

#include "common/element.cl"

#ifndef CACHED_MIB
#error "CACHED_MIB is not defined"
#endif

#if CACHED_MIB == 0
typedef uint CachePolicy;
#define LOAD_BY(policy, pointer) (*(pointer))

static inline CachePolicy policy_for(global const element* matrix, const ulong bytes) { return 0; }
#else
typedef ulong CachePolicy;
#define LOAD_BY(policy, pointer) load_by(policy, pointer)

// What comes after the beginning is the first to be evicted.
static inline CachePolicy policy_for(global const element* matrix, const ulong bytes) {
  const uint all = (uint)min(bytes, (ulong)UINT_MAX), kept = min(all, (uint)CACHED_MIB << 20);
  CachePolicy policy;
  asm("createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %0, [%1], %2, %3;"
      : "=l"(policy)
      : "l"(matrix), "r"(kept), "r"(all));
  return policy;
}

// Reads a float or double that the kernel does not write.
static inline element load_by(const CachePolicy policy, global const element* pointer) {
  element x;
#if ELEMENT == 1
  asm("ld.global.nc.L2::cache_hint.f64 %0, [%1], %2;" : "=d"(x) : "l"(pointer), "l"(policy));
#else
  asm("ld.global.nc.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(x) : "l"(pointer), "l"(policy));
#endif
  return x;
}
#endif
