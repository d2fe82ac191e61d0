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
  uint parts;        // sharers of each shared block, if each has equal steps of one block alone; else 0
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

// Steps of this work-group, of all its segments. A division takes about 110 cycles on an H200: usual cases need none
// here, and at most one below.
static inline uint steps_of_group(const Work work) {
  const uint groups = get_num_groups(0), own = own_blocks(work), group = get_group_id(0);
  const uint blocks = own <= groups ? (group < own ? 1 : 0) : (own + groups - 1 - group) / groups;
  return share_of_group(work) + blocks * work.steps;
}

// The segment of this work-group that begins `done` steps after its first.
static inline Segment segment_at(const Work work, const uint done) {
  const uint group = get_group_id(0), share = share_of_group(work);
  if (done < share && work.parts > 0) {
    const uint shared = group / work.parts;
    return (Segment){own_blocks(work) + shared, (group - shared * work.parts) * share, share, true};
  }
  if (done < share) {
    const uint begin = share_begin(work, group), step = begin + done, shared = step / work.steps;
    const uint end = min(begin + share, (shared + 1) * work.steps);
    return (Segment){own_blocks(work) + shared, step - shared * work.steps, end - step, done == 0};
  }
  const uint before = done == share ? 0 : (done - share) / work.steps;
  return (Segment){group + before * get_num_groups(0), 0, work.steps, false};
}

static inline bool is_whole(const Work work, const Segment segment) { return segment.count == work.steps; }

// The sharers of a shared block: `count` of them from `first` on.
typedef struct {
  uint first, count;
  bool begins;  // true if the first one's share begins in this block; every other sharer's does
} Sharers;

static inline Sharers sharers_of(const Work work, const uint shared) {
  if (work.parts > 0) return (Sharers){shared * work.parts, work.parts, true};
  const uint begin = shared * work.steps, first = sharer_of(work, begin);
  const uint last = sharer_of(work, begin + work.steps - 1);
  return (Sharers){first, last - first + 1, share_begin(work, first) >= begin};
}

// The first number of a work-group's place for sums: `sums` of each of `items` work-items.
static inline ulong first_of_place(const uint group, const bool begins, const uint sums, const uint items) {
  return (2 * (ulong)group + (begins ? 0 : 1)) * sums * items;
}

static inline global const SUM* sums_of_sharer(const Sharers sharers, const uint sharer, global const SUM* parts,
                                               const uint sums, const uint items) {
  return parts + first_of_place(sharers.first + sharer, sharer > 0 || sharers.begins, sums, items);
}

inlined void keep_sums(global SUM* to, const SUM* sum, const uint sums, const uint items, const uint item) {
  to += item;
#pragma unroll
  for (uint e = 0; e < sums; e++) to[e * items] = sum[e];
}

// True if this work-group is the last to have kept its sums of a part of a shared block: it then finds all sums there.
// `counters` has a 0 for each shared block, before and after. All work-items that have sums call this with one `told`.
static inline bool is_last_sharer(const Work work, const Segment segment, global uint* counters, local uint* told) {
  const uint shared = segment.block - own_blocks(work);
  return work.last_joins != 0 && all_have_arrived(counters + shared, sharers_of(work, shared).count, true, told);
}

// Sharers whose sums are read at once, where a work-item has `sums` of each: with more, registers would not suffice.
#define MOST_AT_ONCE 4
#define READ_AT_ONCE(sums) ((sums) > 32 ? 1 : (sums) > 16 ? 2 : MOST_AT_ONCE)

// Adds up the sums of every `joiners`-th sharer of a shared block, from sharer `joiner` on.
inlined void join_all(const Sharers sharers, global const SUM* parts, SUM* sum, const uint sums, const uint items,
                      const uint item, const uint joiner, const uint joiners) {
#pragma unroll
  for (uint e = 0; e < sums; e++) sum[e] = 0;
  for (uint s = joiner; s < sharers.count; s += READ_AT_ONCE(sums) * joiners) {
    global const SUM* from[MOST_AT_ONCE];
#pragma unroll
    for (uint i = 0; i < READ_AT_ONCE(sums); i++)
      from[i] = sums_of_sharer(sharers, min(s + i * joiners, sharers.count - 1), parts, sums, items) + item;
#pragma unroll
    for (uint e = 0; e < sums; e++) {
      SUM more[MOST_AT_ONCE];  // all are read, so that no load waits for another
#pragma unroll
      for (uint i = 0; i < READ_AT_ONCE(sums); i++) more[i] = from[i][e * items];
#pragma unroll
      for (uint i = 0; i < READ_AT_ONCE(sums); i++) sum[e] += s + i * joiners < sharers.count ? more[i] : 0;
    }
  }
}

// True if this work-group finishes the segment's block: it owns all of it, or is the last sharer to arrive, and then
// has the sums of all. Else its sums are kept for the last one, or for another kernel.
inlined bool has_all_sums(const Work work, const Segment segment, global SUM* parts, global uint* counters,
                          local uint* told, SUM* sum, const uint sums, const uint items, const uint item) {
  if (is_whole(work, segment)) return true;
  keep_sums(parts + first_of_place(get_group_id(0), segment.begins, sums, items), sum, sums, items, item);
  if (!is_last_sharer(work, segment, counters, told)) return false;
  join_all(sharers_of(work, segment.block - own_blocks(work)), parts, sum, sums, items, item, 0, 1);
  return true;
}

#define TOGETHER 8  // parts that are read at once

#ifndef JOINERS
#define JOINERS 1
#endif

// Adds run `run` of the sums of the sharers of shared block `shared`. There are JOINERS work-items in dimension 1, and
// each adds every JOINERS-th sharer's. Returns false if the block has only one sharer, which has finished it.
inlined bool join_run(const Work work, const uint shared, global const SUM* parts, SUM run_sums[CONTIGUOUS],
                      const uint run, const uint sums, const uint items, const uint item) {
  const Sharers sharers = sharers_of(work, shared);
  const uint count = sharers.count;
  if (count == 1) return false;
  parts += (2 * (ulong)sharers.first * sums + run * CONTIGUOUS) * items + item;
  const uint other = sharers.begins ? 0 : sums * items;
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
