// Does a block read give each lane its own word? wrong[i] counts what work-item i misread.

#include "common/lanes.cl"

LANES_GROUP kernel void probes_block_read(global uint* restrict wrong) {
  const uint first = get_local_id(1) * SUBGROUP_SIZE, lane = get_local_id(0);
  wrong[first + lane] = first + lane;
  barrier(CLK_GLOBAL_MEM_FENCE);
  const uint word = intel_sub_group_block_read(wrong + first);
  const uint2 words = intel_sub_group_block_read2(wrong);
  barrier(CLK_GLOBAL_MEM_FENCE);
  wrong[first + lane] = (word != first + lane) + (words.x != lane) + (words.y != SUBGROUP_SIZE + lane);
}
