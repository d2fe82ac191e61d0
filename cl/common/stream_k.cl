// Work: which steps along k of which blocks of C a work-group does, and where its sums go. The last `shared` blocks are
// shared out, step by step, among the first `sharers` work-groups, so that all end together; each other block has a
// work-group of its own (Osama, Merrill, Cecka, Garland and Owens, "Stream-K", PPoPP 2023). Sums of a part of a block
// go to scratch memory, in the order of the work-items' registers, and are added by another kernel, always in the order
// of k. A work-group has two places there: for the block that its work begins in, and for the one that it ends in.

typedef struct {
  uint down, across;  // blocks of C
  uint steps;         // of a block
  uint shared, sharers;
  uint share, more;  // steps of a sharer; the first `more` of them have one more
} Work;

// Steps of one block: [first, first + count).
typedef struct {
  uint block, first, count;
  bool begins;  // the work-group's first
} Segment;

// The first step of a sharer, counted through all shared blocks.
static inline uint share_begin(const Work work, const uint sharer) {
  return sharer * work.share + min(sharer, work.more);
}

// The sharer that does a step.
static inline uint sharer_of(const Work work, const uint step) {
  const uint longer = work.more * (work.share + 1);
  return step < longer ? step / (work.share + 1) : work.more + (step - longer) / work.share;
}

static inline uint own_blocks(const Work work) { return work.down * work.across - work.shared; }

// Steps of this work-group, of all its segments.
static inline uint steps_of_group(const Work work) {
  const uint group = get_group_id(0);
  return group < work.sharers ? share_begin(work, group + 1) - share_begin(work, group) : work.steps;
}

// The segment of this work-group that begins `done` steps after its first.
static inline Segment segment_at(const Work work, const uint done) {
  const uint group = get_group_id(0);
  Segment segment = {group - work.sharers, 0, work.steps, done == 0};
  if (group < work.sharers) {
    const uint step = share_begin(work, group) + done, shared = step / work.steps;
    segment.block = own_blocks(work) + shared;
    segment.first = step - shared * work.steps;
    segment.count = min(share_begin(work, group + 1), (shared + 1) * work.steps) - step;
  }
  return segment;
}

static inline bool is_whole(const Work work, const Segment segment) { return segment.count == work.steps; }

// Numbers of a place for sums: `sums` of each of `items` work-items.
static inline global number* place_of_sums(global number* parts, const uint group, const bool begins, const uint sums,
                                           const uint items) {
  return parts + (2 * (ulong)group + (begins ? 0 : 1)) * sums * items;
}

inlined void keep_sums(global number* to, const number* sum, const uint sums, const uint items, const uint item) {
  to += item;
#pragma unroll
  for (uint e = 0; e < sums; e++) to[e * items] = sum[e];
}

// Adds run `run` of the sums of all sharers of shared block `shared`; false if it has one only, which has finished it.
inlined bool join_run(const Work work, const uint shared, global const number* parts, number run_sums[RUN],
                      const uint run, const uint sums, const uint items, const uint item) {
  const uint begin = shared * work.steps;
  const uint first = sharer_of(work, begin), last = sharer_of(work, begin + work.steps - 1);
  if (first == last) return false;
  // Only the first sharer may have begun with another block.
  parts += (2 * (ulong)first * sums + run * RUN) * items + item;
  const uint other = share_begin(work, first) >= begin ? 0 : sums * items;
#pragma unroll
  for (uint e = 0; e < RUN; e++) run_sums[e] = parts[other + e * items];
#pragma unroll 4
  for (uint sharer = first + 1; sharer <= last; sharer++) {
    parts += 2 * (ulong)sums * items;
#pragma unroll
    for (uint e = 0; e < RUN; e++) run_sums[e] += parts[e * items];
  }
  return true;
}
