// Probe: asynchronous copies bring the right words to the end of a local array of LOCAL_BYTES bytes, zeros where the
// source ends, and nothing else. The work-items count wrong words.

#include "common/async_copies.cl"

kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void probes_async_copy(global uint* wrong, global uint* memory) {
  local uint memory_of_group[LOCAL_BYTES / 4];
  local uint(*words)[32] = (local uint(*)[32])(memory_of_group + LOCAL_BYTES / 4 - 64);
  const uint item = get_local_id(0);
  memory[item] = item + 1;
  words[0][item] = words[1][item] = 99;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  COPY_ALL_LATER(item % 4 != 0, LOCAL_ADDRESS(&words[0][item]), memory + item, 4);
  CLOSE_GROUP();
  COPY_LATER(LOCAL_ADDRESS(&words[1][item]), memory + item, 4, item % 2 == 0);
  CLOSE_GROUP();
  WAIT_FOR_GROUPS(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint other = 31 - item;
  wrong[item] = (words[0][other] != (other % 4 != 0 ? other + 1 : 99)) +
                (words[1][other] != (other % 2 == 0 ? other + 1 : 0));
}
