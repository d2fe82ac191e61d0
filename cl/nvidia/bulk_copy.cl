// Does a bulk copy bring the right bytes to the end of a local array of LOCAL_BYTES bytes? The work-items count those
// that are wrong.

#define COPIED (ITEMS * 16)

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void nvidia_bulk_copy(global uint* wrong, global uint4* memory) {
  local uint4 block[LOCAL_BYTES / 16] __attribute__((aligned(128)));
  local ulong arrivals[STAGES];
  const uint item = get_local_id(0), place = LOCAL_BYTES / 16 - ITEMS, arrived = local_address(arrivals);
  memory[item] = (uint4)(4 * item, 4 * item + 1, 4 * item + 2, 4 * item + 3);
  block[place + item] = 0;
  if (item == 0) {
    make_barriers(arrived, 1);
    publish_barriers();
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (item == 0) {
    expect_bytes(arrived, COPIED);
    copy_bytes(local_address(block + place), memory, COPIED, arrived);
  }
  wait_for_stage(arrived, 0);
  local const uint* numbers = (local const uint*)(block + place);
  uint count = 0;
  for (uint i = 0; i < 4 * ITEMS; i++) count += numbers[i] != i;
  wrong[item] = count;
}
