// Reads `from`, EACH times 16 bytes per work-item: the speed at which a device reads its memory.
//   EACH  pieces of a work-item, a work-group apart
// `to` has an element for each work-item, which the work-item writes if all bits that it read are set.

#ifndef EACH
#error "EACH is not defined"
#endif

kernel void peak_read(global const uint4* restrict from, global uint4* restrict to) {
  const size_t first = get_group_id(0) * get_local_size(0) * EACH + get_local_id(0);
  uint4 common = (uint4)(~0u);
#pragma unroll
  for (uint piece = 0; piece < EACH; piece++) common &= from[first + piece * get_local_size(0)];
  // A store that the compiler cannot rule out keeps the reads alive.
  if ((common.x & common.y & common.z & common.w) == ~0u) to[get_global_id(0)] = common;
}
