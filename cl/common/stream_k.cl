// Work: the steps along k, and the blocks of C, of each work-group, and the places of its sums. The first `sharers`
// work-groups split the steps of the last `shared` blocks, so that all end together (Osama, Merrill, Cecka, Garland and
// Owens, "Stream-K", PPoPP 2023). Each other block belongs to one work-group; consecutive blocks of a work-group are as
// far apart as there are work-groups. Sums of a part of a block go to scratch memory, in the order of the work-items'
// registers. Another kernel, or the last sharer of the block to arrive, adds them, always in the order of k. A
// work-group has two places in scratch memory: for the block in which its share begins, and for the block in which it
// ends.
//   SUM  the type of the sums

#include "common/element.cl"
#include "common/fences.cl"

#ifndef SUM
#error "SUM is not defined"
#endif

typedef struct {
  uint down, across;  // blocks of C
  uint steps;         // of a block, at least 1
  uint shared, sharers;
  uint share, more;  // steps of a sharer; the first `more` of them have one more
  uint last_joins;   // 1: so does the last sharer to arrive, 0: another kernel
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

// Steps of shared blocks that this work-group does.
static inline uint share_of_group(const Work work) {
  const uint group = get_group_id(0);
  return group < work.sharers ? work.share + (group < work.more ? 1 : 0) : 0;
}

// Steps of this work-group, of all its segments.
static inline uint steps_of_group(const Work work) {
  const uint groups = get_num_groups(0), own = own_blocks(work), group = get_group_id(0);
  return share_of_group(work) + (own + groups - 1 - group) / groups * work.steps;
}

// The segment of this work-group that begins `done` steps after its first.
static inline Segment segment_at(const Work work, const uint done) {
  const uint group = get_group_id(0), share = share_of_group(work);
  if (done < share) {
    const uint begin = share_begin(work, group), step = begin + done, shared = step / work.steps;
    const uint end = min(begin + share, (shared + 1) * work.steps);
    return (Segment){own_blocks(work) + shared, step - shared * work.steps, end - step, done == 0};
  }
  return (Segment){group + (done - share) / work.steps * get_num_groups(0), 0, work.steps, false};
}

static inline bool is_whole(const Work work, const Segment segment) { return segment.count == work.steps; }

// Numbers of a place for sums: `sums` of each of `items` work-items.
static inline global SUM* place_of_sums(global SUM* parts, const uint group, const bool begins, const uint sums,
                                           const uint items) {
  return parts + (2 * (ulong)group + (begins ? 0 : 1)) * sums * items;
}

inlined void keep_sums(global SUM* to, const SUM* sum, const uint sums, const uint items, const uint item) {
  to += item;
#pragma unroll
  for (uint e = 0; e < sums; e++) to[e * items] = sum[e];
}

// True if this work-group is the last to have kept its sums of a part of a shared block: it then finds all sums there.
// `counters` has a 0 for each shared block, before and after. All work-items that have sums call this with one `told`.
static inline bool is_last_sharer(const Work work, const Segment segment, global uint* counters, local uint* told) {
  const uint shared = segment.block - own_blocks(work), begin = shared * work.steps;
  const uint sharers = sharer_of(work, begin + work.steps - 1) - sharer_of(work, begin) + 1;
  return work.last_joins != 0 && all_have_arrived(counters + shared, sharers, true, told);
}

// Adds up the sums of every `joiners`-th sharer of a shared block, from sharer `joiner` on.
inlined void join_all(const Work work, const uint block, global const SUM* parts, SUM* sum, const uint sums,
                      const uint items, const uint item, const uint joiner, const uint joiners) {
  const uint begin = (block - own_blocks(work)) * work.steps;
  const uint first = sharer_of(work, begin), last = sharer_of(work, begin + work.steps - 1);
#pragma unroll
  for (uint e = 0; e < sums; e++) sum[e] = 0;
  for (uint sharer = first + joiner; sharer <= last; sharer += joiners) {
    // Only the first sharer may have begun with another block.
    const bool begins = sharer > first || share_begin(work, first) >= begin;
    global const SUM* from = parts + (2 * (ulong)sharer + (begins ? 0 : 1)) * sums * items + item;
#pragma unroll
    for (uint e = 0; e < sums; e++) sum[e] += from[e * items];
  }
}

// True if this work-group finishes the segment's block: it owns all of it, or is the last sharer to arrive, and then
// has the sums of all. Else its sums are kept for the last one, or for another kernel.
inlined bool has_all_sums(const Work work, const Segment segment, global SUM* parts, global uint* counters,
                          local uint* told, SUM* sum, const uint sums, const uint items, const uint item) {
  if (is_whole(work, segment)) return true;
  keep_sums(place_of_sums(parts, get_group_id(0), segment.begins, sums, items), sum, sums, items, item);
  const bool is_last = is_last_sharer(work, segment, counters, told);
  if (is_last) join_all(work, segment.block, parts, sum, sums, items, item, 0, 1);
  return is_last;
}

#define TOGETHER 8  // parts that are read at once

#ifndef JOINERS
#define JOINERS 1
#endif

// Adds run `run` of the sums of the sharers of shared block `shared`. There are JOINERS work-items in dimension 1, and
// each adds every JOINERS-th sharer's. Returns false if the block has only one sharer, which has finished it.
inlined bool join_run(const Work work, const uint shared, global const SUM* parts, SUM run_sums[CONTIGUOUS],
                      const uint run, const uint sums, const uint items, const uint item) {
  const uint begin = shared * work.steps;
  const uint first = sharer_of(work, begin), last = sharer_of(work, begin + work.steps - 1), count = last - first + 1;
  if (count == 1) return false;
  parts += (2 * (ulong)first * sums + run * CONTIGUOUS) * items + item;
  // Only the first sharer may have begun with another block.
  const uint other = share_begin(work, first) >= begin ? 0 : sums * items;
#pragma unroll
  for (uint e = 0; e < CONTIGUOUS; e++) run_sums[e] = 0;
  for (uint sharer = get_local_id(1); sharer < count; sharer += TOGETHER * JOINERS) {
    SUM more[TOGETHER][CONTIGUOUS];
#pragma unroll
    for (uint s = 0; s < TOGETHER; s++) {
      const uint from = min(sharer + s * JOINERS, count - 1);
#pragma unroll
      for (uint e = 0; e < CONTIGUOUS; e++) {  // always read, so that no load waits for another
        const SUM part = parts[(from * 2 * (ulong)sums + e) * items + (from == 0 ? other : 0)];
        more[s][e] = sharer + s * JOINERS < count ? part : 0;
      }
    }
#pragma unroll
    for (uint s = 0; s < TOGETHER; s++) {
#pragma unroll
      for (uint e = 0; e < CONTIGUOUS; e++) run_sums[e] += more[s][e];
    }
  }
  return true;
}
