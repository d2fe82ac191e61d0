// Probe: a product of small integers by wgmma is right. The work-items count wrong sums.

#include "nvidia/wgmma.cl"

static inline float left(const uint row, const uint p) { return (float)((row + 3 * p) % 7); }
static inline float right(const uint p, const uint column) { return (float)((column + 5 * p) % 11); }

// A matrix of 16 columns in core matrices: number p of a row.
static inline uint place(const uint row, const uint p) { return row / 8 * 128 + p / 8 * 64 + row % 8 * 8 + p % 8; }

kernel __attribute__((reqd_work_group_size(WARP_GROUP, 1, 1)))
void probes_wgmma(global uint* wrong) {
  local ushort a[64 * 16] __attribute__((aligned(128)));
  local ushort b[128 * 16] __attribute__((aligned(128)));
  const uint item = get_local_id(0);
  for (uint p = 0; p < 16; p++) {
    if (item < 64) vstore_half(left(item, p), place(item, p), (local half*)a);
    vstore_half(right(p, item), place(item, p), (local half*)b);
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  barrier(CLK_LOCAL_MEM_FENCE);
  float sums[64];
#pragma unroll
  for (uint e = 0; e < 64; e++) sums[e] = 0;
  WGMMA_FENCE();
  WGMMA(sums, wgmma_descriptor((uint)(ulong)a, 256), wgmma_descriptor((uint)(ulong)b, 256), 0);
  WGMMA_COMMIT();
  WGMMA_WAIT_FOR(sums);
  uint count = 0;
#pragma unroll
  for (uint e = 0; e < 64; e++) {
    const uint row = item / 32 * 16 + item % 32 / 4 + e / 2 % 2 * 8, column = e / 4 * 8 + item % 4 * 2 + e % 2;
    float sum = 0;
    for (uint p = 0; p < 16; p++) sum += left(row, p) * right(p, column);
    count += sums[e] != sum;
  }
  wrong[item] = count;
}
