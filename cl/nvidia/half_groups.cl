// Groups of 8 neighbours of a row of C, of 16 bits each. Four groups are beside each other, and of their sums each of
// four lanes has two neighbours of every group: first[4 g] and first[4 g + 1] are of group g. The lanes exchange them,
// so that each loads and stores one group: 16 bytes at once.

#include "common/element.cl"
#include "nvidia/exchange.cl"
#include "nvidia/halves.cl"

// Makes sums the new numbers of C: alpha times a sum plus beta times the old number. `old` is this lane's group.
inlined void add_old_group(const uint4 old, const float alpha, const float beta, float* first, const uint lane) {
  uint words[4] = {old.x, old.y, old.z, old.w};
  EXCHANGE(words[0], words[2], 2, lane);
  EXCHANGE(words[1], words[3], 2, lane);
  EXCHANGE(words[0], words[1], 1, lane);
  EXCHANGE(words[2], words[3], 1, lane);
#pragma unroll
  for (uint g = 0; g < 4; g++) {
    const float2 before = two_floats(words[g]);
    first[4 * g] = MULTIPLY_ADD(beta, before.x, alpha * first[4 * g]);
    first[4 * g + 1] = MULTIPLY_ADD(beta, before.y, alpha * first[4 * g + 1]);
  }
}

// `factor` times the sums, as elements: this lane's group.
inlined uint4 group_of_lane(const float factor, const float* first, const uint lane) {
  uint words[4];
#pragma unroll
  for (uint g = 0; g < 4; g++) words[g] = two_shorts(factor * first[4 * g], factor * first[4 * g + 1]);
  EXCHANGE(words[0], words[1], 1, lane);
  EXCHANGE(words[2], words[3], 1, lane);
  EXCHANGE(words[0], words[2], 2, lane);
  EXCHANGE(words[1], words[3], 2, lane);
  return (uint4)(words[0], words[1], words[2], words[3]);
}
