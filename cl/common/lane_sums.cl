// Sums over the lanes of a work-group, always in the same order. Its work-items form `rows` rows of equally many lanes.
//   LOCAL_SIZE  work-items of a work-group, a power of two; so is `rows`
// In `local value space[count][LOCAL_SIZE]`, the sum of values[t] over the lanes of row r is then in space[t][r],
// until the caller's next barrier. A work-item's `place` is lane * rows + row. All work-items take part.

#ifndef LOCAL_SIZE
#error "LOCAL_SIZE is not defined"
#endif

#define LANE_SUMS(space, values, count, rows, place)                                               \
  do {                                                                                             \
    _Pragma("unroll") for (int t = 0; t < (count); t++) space[t][place] = (values)[t];             \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    for (uint half_ = LOCAL_SIZE / 2; half_ >= (rows); half_ /= 2) {                               \
      if ((place) < half_) {                                                                       \
        _Pragma("unroll") for (int t = 0; t < (count); t++)                                        \
            space[t][place] += space[t][(place) + half_];                                          \
      }                                                                                            \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    }                                                                                              \
  } while (0)
