// A work-group's values into one, always in the same order.
//   LOCAL_SIZE  work-items of a work-group, a power of two
// A kernel declares `local T space[LOCAL_SIZE]`; TREE(space, value, combine, result) gives every work-item the result
// of all, where combine(a, b) is a macro or function. All work-items take part.

#ifndef LOCAL_SIZE
#error "LOCAL_SIZE is not defined"
#endif

#define TREE(space, value, combine, result)                                                        \
  do {                                                                                             \
    const uint item = get_local_id(0);                                                             \
    space[item] = (value);                                                                         \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    for (uint half_ = LOCAL_SIZE / 2; half_ > 0; half_ /= 2) {                                          \
      if (item < half_) space[item] = combine(space[item], space[item + half_]);                   \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    }                                                                                              \
    result = space[0];                                                                             \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
  } while (0)

// The same for several values of each work-item, in `local T space[count][LOCAL_SIZE]`: result r is then in
// space[r][0], until the caller's next barrier.
#define TREES(space, values, count, combine)                                                       \
  do {                                                                                             \
    const uint item = get_local_id(0);                                                             \
    _Pragma("unroll") for (int t = 0; t < (count); t++) space[t][item] = (values)[t];              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    for (uint half_ = LOCAL_SIZE / 2; half_ > 0; half_ /= 2) {                                          \
      if (item < half_) {                                                                          \
        _Pragma("unroll") for (int t = 0; t < (count); t++)                                        \
            space[t][item] = combine(space[t][item], space[t][item + half_]);                      \
      }                                                                                            \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    }                                                                                              \
  } while (0)

#define SUM_OF_TWO(a, b) ((a) + (b))
