// Probe: reads by a cache policy return the same values as plain reads. The work-items count wrong values.

#include "common/cache_policies.cl"

kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void probes_cache_policy(global uint* wrong, global const element* memory) {
  const uint item = get_local_id(0);
  const CachePolicy policy = policy_for(memory, 32 * sizeof(element));
  wrong[item] = as_uint(LOAD_BY(policy, memory + item)) != as_uint(memory[item]);
}
