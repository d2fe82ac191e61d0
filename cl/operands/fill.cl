// x_i = (low + the upper bits of hash(seed, i)) * scale: exact, so that the host generates the same numbers.
// (splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014)

#include "common/element.cl"

kernel void operands_fill(const ulong seed, const ulong count, const long low, const uint shift,
                          const number scale, global element* restrict x) {
  for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
    ulong bits = seed + (i + 1) * 0x9e3779b97f4a7c15ul;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ul;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebul;
    bits ^= bits >> 31;
    const number value = (number)(low + (long)(bits >> shift)) * scale;
#if ELEMENT == 4
    x[i] = (char)value;
#else
    STORE(value, x, i);
#endif
  }
}
