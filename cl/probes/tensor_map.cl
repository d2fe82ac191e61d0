// Probe: a bulk copy by a tensor map brings the right bytes to the end of a local array of LOCAL_BYTES bytes, and zeros
// from beyond the matrix. The work-items count wrong bytes.

#include "nvidia/tensor_maps.cl"

#define ROWS 8
#define COLUMNS 6  // of the matrix; a box has 8

kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void probes_tensor_map(global uint* wrong, global uint* memory) {
  local uint block[LOCAL_BYTES / 4] __attribute__((aligned(1024)));
  local uint draft[BYTES_OF_MAP / 4] __attribute__((aligned(128)));
  local ulong arrivals[STAGES];
  local uint* box = block + (LOCAL_BYTES - 1024) / 4;
  const uint item = get_local_id(0), arrived = LOCAL_ADDRESS(arrivals);
  global uint* matrix = memory + BYTES_OF_MAP / 4;
  for (uint i = item; i < ROWS * TILE_K; i += 32) {
    matrix[i] = i + 1;
    box[i] = 0;
  }
  if (item == 0) {
    make_barriers(arrived, 1);
    publish_barriers();
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  MAKE_MAP(memory, draft, matrix, ROWS, COLUMNS, (ulong)TILE_K, 1ul, true, TILE_K, ROWS, TILE_K, 4, MAP_OF_4_BYTES,
           SWIZZLE_32);
  if (item == 0) {
    expect_bytes(arrived, ROWS * TILE_K * 4);
    copy_box(LOCAL_ADDRESS(box), memory, 0, 0, arrived);
  }
  WAIT_FOR_STAGE(arrived, 0);
  uint count = 0;
  for (uint i = 0; i < ROWS * TILE_K; i++) {
    const uint row = i / TILE_K, column = (i / 4 % 2 ^ row / 4 % 2) * 4 + i % 4;
    count += box[i] != (column < COLUMNS ? row * TILE_K + column + 1 : 0);
  }
  wrong[item] = count;
}
