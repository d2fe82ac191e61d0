// v = p / largest, from wide numbers to the matrix's type.
//   ACCUMULATOR  see common/wide.cl

kernel void eigenpair_finish(const ulong n, global const part* restrict p, const part largest,
                             global element* restrict v) {
  const ulong i = get_global_id(0);
  if (i >= n) return;
  // Devices' own division of floats may give less than 1 for the largest.
  const Pair numerator = {load_pair(p, n, i).high, 0}, denominator = {largest, 0};
  v[i] = (element)divide_pairs(numerator, denominator).high;
}
