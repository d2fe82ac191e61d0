// found += elements of x that are still poison: NaN; of integers, `poison`.

#include "common/element.cl"

kernel void operands_count_unwritten(const ulong offset, const ulong count, const uint poison,
                                     global const element* restrict x, global uint* restrict found) {
  uint own = 0;
  for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
#if ELEMENT == 2
    own += x[offset + i] == poison;
#else
    own += isnan(LOAD(x, offset + i)) != 0;
#endif
  }
  if (own > 0) atomic_add(found, own);
}
