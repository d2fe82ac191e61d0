// v = p / largest, from wide numbers to the matrix's type.
//   ACCUMULATOR  see common/wide.cl

kernel void eigenpair_finish(const ulong n, global const part* restrict p, const part largest,
                             global element* restrict v) {
  const ulong i = get_global_id(0);
  if (i < n) v[i] = (element)(load_pair(p, n, i).high / largest);
}
