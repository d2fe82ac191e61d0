// Runs of C: CONTIGUOUS neighbours of a row, 2 or 4, which are stored at once where they are aligned, and whole. A
// complex matrix is read as one of its parts, and a run of 2 is a value.

#include "common/complex.cl"

#ifndef CONTIGUOUS
#error "CONTIGUOUS is not defined"
#endif

typedef JOIN(NUMBER, CONTIGUOUS) Run;

#if CONTIGUOUS == 2
#define AS_RUN(numbers) (Run)((numbers)[0], (numbers)[1])
#define TO_NUMBERS(run, numbers) ((numbers)[0] = (run).x, (numbers)[1] = (run).y)
#else
#define AS_RUN(numbers) (Run)((numbers)[0], (numbers)[1], (numbers)[2], (numbers)[3])
#define TO_NUMBERS(run, numbers) \
  ((numbers)[0] = (run).x, (numbers)[1] = (run).y, (numbers)[2] = (run).z, (numbers)[3] = (run).w)
#endif

#if OUTPUT == 3 || OUTPUT == 5
#if CONTIGUOUS != 2
#error "CONTIGUOUS of results of 16 bits is not 2"
#endif
#define LOAD_RUN(pointer) two_floats(*(global const uint*)(pointer))
#define STORE_RUN(value, pointer) (*(global uint*)(pointer) = two_shorts((value).x, (value).y))
#else
#define LOAD_RUN(pointer) (*(global const Run*)(pointer))
#define STORE_RUN(value, pointer) (*(global Run*)(pointer) = (value))
#endif

// True if every `neighbours` neighbours of a row of this block are aligned, and either all in C or all outside of it.
static inline bool has_whole_groups(const uint neighbours, const Shape shape, const Layout c_at, const uint2 block,
                                    const uint columns) {
  return (c_at.offset | c_at.row) % neighbours == 0 &&
         (shape.n % neighbours == 0 || (block.y + 1ul) * columns <= shape.n);
}
static inline bool has_whole_runs(const Shape shape, const Layout c_at, const uint2 block, const uint columns) {
#ifdef COMPLEX
  return true;
#else
  return has_whole_groups(CONTIGUOUS, shape, c_at, block, columns);
#endif
}

// Makes sums of C(i, j) to C(i, j + CONTIGUOUS - 1) the new numbers: alpha times a sum plus beta times the old number.
// A work-item does so with all its runs before it stores any: all its loads are then in flight at once.
inlined void add_old_run(const bool whole, const Shape shape, const value alpha, const value beta,
                         global const output* c, const Layout c_at, const ulong i, const ulong j,
                         number sums[CONTIGUOUS]) {
  const ulong place = c_at.offset + i * c_at.row + j;
  number old[CONTIGUOUS];
  if (whole) {
    Run run = 0;
    if (i < shape.m && j < shape.n) run = LOAD_RUN(c + place);
    TO_NUMBERS(run, old);
  } else {
#pragma unroll
    for (uint e = 0; e < CONTIGUOUS; e++) {
      old[e] = 0;
      if (i < shape.m && j + e < shape.n) old[e] = LOAD_OUTPUT(c, place + e);
    }
  }
#pragma unroll
  for (uint e = 0; e < CONTIGUOUS; e += PARTS) {
    const value next = scale_add(beta, OF_PARTS(old + e), SCALED(alpha, OF_PARTS(sums + e)));
#pragma unroll
    for (uint part = 0; part < PARTS; part++) sums[e + part] = PART_OF(next, part);
  }
}

// Stores the elements C(i, j) to C(i, j + CONTIGUOUS - 1) that exist.
inlined void update_run(const bool whole, const Shape shape, const value alpha, const value beta, global output* c,
                        const Layout c_at, const ulong i, const ulong j, const number sums[CONTIGUOUS]) {
  if (i >= shape.m || j >= shape.n) return;
#ifndef COMPLEX
  if (!whole) {
    update(c, c_at, i, j, alpha, sums[0], beta);
    if (j + 1 < shape.n) update(c, c_at, i, j + 1, alpha, sums[1], beta);
#if CONTIGUOUS == 4
    if (j + 2 < shape.n) update(c, c_at, i, j + 2, alpha, sums[2], beta);
    if (j + 3 < shape.n) update(c, c_at, i, j + 3, alpha, sums[3], beta);
#endif
    return;
  }
#endif
  global output* to = c + c_at.offset + i * c_at.row + j;
  Run product = SCALED(alpha, AS_RUN(sums));
  if (IS_NOT_ZERO(beta)) product = scale_add(beta, LOAD_RUN(to), product);
  STORE_RUN(product, to);
}
