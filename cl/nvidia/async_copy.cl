// Do asynchronous copies bring the right words, zeros where there are none, and nothing where nothing is wanted? The
// work-items count those that are wrong.

kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void nvidia_async_copy(global uint* wrong, global uint* memory) {
  local uint words[2][32];
  const uint item = get_local_id(0);
  memory[item] = item + 1;
  words[0][item] = words[1][item] = 99;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  copy_all_later(item % 4 != 0, local_address(&words[0][item]), memory + item, 4);
  close_group();
  copy_later(local_address(&words[1][item]), memory + item, 4, item % 2 == 0);
  close_group();
  wait_for_groups(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint other = 31 - item;
  wrong[item] = (words[0][other] != (other % 4 != 0 ? other + 1 : 99)) +
                (words[1][other] != (other % 2 == 0 ? other + 1 : 0));
}
