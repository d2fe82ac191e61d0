// Lanes: the work-items of a sub-group read each other's values, by means that the device supports.
//   SHUFFLE        0 local memory, 1 cl_khr_subgroups, 2 cl_intel_subgroups, 3 NVIDIA PTX
//   SUBGROUP_SIZE  work-items of a sub-group
//   SUB_GROUPS     sub-groups of a work-group
//   LANES_PINNED   defined where the size of a sub-group has to be asked for
//
// A work-group is SUBGROUP_SIZE x SUB_GROUPS work-items, a sub-group one row of it. A kernel declares
// LANES_SPACE(space, count); then, always with all lanes of the work-group together,
//   LANES_SHARE(space, values, count)         offers count values of each lane
//   LANES_READ(space, values, index, lane)    value `index` of a lane, the same for all that ask
//   LANES_DONE()                              ends the reading, before the next share
// or, in one step with a value of each lane,
//   LANES_SUM(space, value), LANES_MAX(space, value)  of all lanes, to all lanes
//   LANES_NEXT(space, value)                          the next lane's; to the last its own

#include "common/element.cl"

#ifndef SHUFFLE
#error "SHUFFLE is not defined"
#endif
#ifndef SUBGROUP_SIZE
#error "SUBGROUP_SIZE is not defined"
#endif
#ifndef SUB_GROUPS
#error "SUB_GROUPS is not defined"
#endif

#ifdef LANES_PINNED
#define LANES_GROUP                                           \
  __attribute__((reqd_work_group_size(SUBGROUP_SIZE, SUB_GROUPS, 1))) \
  __attribute__((intel_reqd_sub_group_size(SUBGROUP_SIZE)))
#else
#define LANES_GROUP __attribute__((reqd_work_group_size(SUBGROUP_SIZE, SUB_GROUPS, 1)))
#endif

#if SHUFFLE == 0

#define LANES_SPACE(space, count) local number space[count][SUB_GROUPS][SUBGROUP_SIZE]
#define LANES_SHARE(space, values, count)                                            \
  do {                                                                               \
    for (int index = 0; index < (count); index++)                                    \
      space[index][get_local_id(1)][get_local_id(0)] = (values)[index];              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                    \
  } while (0)
#define LANES_READ(space, values, index, lane) space[index][get_local_id(1)][lane]
#define LANES_DONE() barrier(CLK_LOCAL_MEM_FENCE)

typedef local number (*LanesSpace)[SUBGROUP_SIZE];

static inline number sum_of_lanes(const LanesSpace space, const number value) {
  space[get_local_id(1)][get_local_id(0)] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  number sum = 0;
#pragma unroll
  for (uint lane = 0; lane < SUBGROUP_SIZE; lane++) sum += space[get_local_id(1)][lane];
  barrier(CLK_LOCAL_MEM_FENCE);
  return sum;
}

static inline number max_of_lanes(const LanesSpace space, const number value) {
  space[get_local_id(1)][get_local_id(0)] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  number maximum = value;
#pragma unroll
  for (uint lane = 0; lane < SUBGROUP_SIZE; lane++) maximum = max(maximum, space[get_local_id(1)][lane]);
  barrier(CLK_LOCAL_MEM_FENCE);
  return maximum;
}

static inline number next_of_lanes(const LanesSpace space, const number value) {
  space[get_local_id(1)][get_local_id(0)] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  const number next = space[get_local_id(1)][min((uint)get_local_id(0) + 1, (uint)SUBGROUP_SIZE - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  return next;
}

#define LANES_SUM(space, value) sum_of_lanes(space[0], value)
#define LANES_MAX(space, value) max_of_lanes(space[0], value)
#define LANES_NEXT(space, value) next_of_lanes(space[0], value)

#else

#define LANES_SPACE(space, count)
#define LANES_SHARE(space, values, count)
#define LANES_DONE()

#if SHUFFLE == 1
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#define LANES_READ(space, values, index, lane) sub_group_broadcast((values)[index], lane)
// Without the extension for shuffles a lane is read by all at a time.
static inline number next_of_lanes(const number value) {
  number next = value;
#pragma unroll
  for (uint lane = 1; lane < SUBGROUP_SIZE; lane++) {
    const number other = sub_group_broadcast(value, lane);
    if (get_local_id(0) + 1 == lane) next = other;
  }
  return next;
}
#elif SHUFFLE == 2
#ifdef cl_intel_subgroups
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#endif
#define LANES_READ(space, values, index, lane) intel_sub_group_shuffle((values)[index], lane)
static inline number next_of_lanes(const number value) {
  return intel_sub_group_shuffle(value, min((uint)get_local_id(0) + 1, (uint)SUBGROUP_SIZE - 1));
}
#elif SHUFFLE == 3
// PTX ISA, shfl.sync: all 32 lanes of the warp take part.
static inline uint bits_of_lane(const uint bits, const uint lane) {
  uint result;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(result) : "r"(bits), "r"(lane));
  return result;
}
static inline number value_of_lane(const number value, const uint lane) {
#if ELEMENT == 1
  const uint2 bits = as_uint2(value);
  return as_double((uint2)(bits_of_lane(bits.x, lane), bits_of_lane(bits.y, lane)));
#elif ELEMENT == 2
  return bits_of_lane(value, lane);
#else
  return as_float(bits_of_lane(as_uint(value), lane));
#endif
}
#define LANES_READ(space, values, index, lane) value_of_lane((values)[index], lane)
static inline number sum_of_lanes(number value) {
#pragma unroll
  for (uint step = SUBGROUP_SIZE / 2; step > 0; step /= 2) value += value_of_lane(value, get_local_id(0) ^ step);
  return value;
}
static inline number max_of_lanes(number value) {
#pragma unroll
  for (uint step = SUBGROUP_SIZE / 2; step > 0; step /= 2) {
    value = max(value, value_of_lane(value, get_local_id(0) ^ step));
  }
  return value;
}
static inline number next_of_lanes(const number value) {
  return value_of_lane(value, min((uint)get_local_id(0) + 1, (uint)SUBGROUP_SIZE - 1));
}
#else
#error "SHUFFLE is not a back end"
#endif

#if SHUFFLE == 3
#define LANES_SUM(space, value) sum_of_lanes(value)
#define LANES_MAX(space, value) max_of_lanes(value)
#else
#define LANES_SUM(space, value) sub_group_reduce_add(value)
#define LANES_MAX(space, value) sub_group_reduce_max(value)
#endif
#define LANES_NEXT(space, value) next_of_lanes(value)

#endif
