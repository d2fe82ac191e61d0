// to = from, EACH times 16 bytes per work-item: the speed of a device's memory.
//   EACH  pieces of a work-item, a work-group apart

#ifndef EACH
#error "EACH is not defined"
#endif

kernel void peak_copy(global const uint4* restrict from, global uint4* restrict to) {
  const size_t first = get_group_id(0) * get_local_size(0) * EACH + get_local_id(0);
#pragma unroll
  for (uint piece = 0; piece < EACH; piece++) {
    to[first + piece * get_local_size(0)] = from[first + piece * get_local_size(0)];
  }
}
