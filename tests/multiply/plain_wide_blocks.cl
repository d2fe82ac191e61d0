// Stands for cl/common/wide_blocks.cl, of bytes along k, in a test on any device: a work-item sums its elements of a
// block one after the other.
#define TILE_M 128
#define TILE_N 256
#define ITEMS 384
#define SUMMERS 256
#define SUMS 128

static inline uint3 place_of_block(const Work work, const uint block) {
  const uint down = work.down / PLANES, plane = block / (down * work.across);
  return (uint3)(block_at(block - plane * down * work.across, down, work.across), plane);
}

inlined void finish(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                    const Work work, const uint of_block, const uint item, const SUM sum[SUMS]);

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_tensor_core_residues(const Shape shape, const number alpha, const number beta, const Work work,
                                   global const uchar* a, const Layout a_at, global const uchar* b, const Layout b_at,
                                   global output* restrict c, const Layout c_at, global uchar* maps, global SUM* parts,
                                   global uint* counters) {
  const uint item = get_local_id(0), lane = item % 32, warp = item / 32;
  if (item >= SUMMERS) return;
  for (uint block = get_group_id(0); block < own_blocks(work); block += get_num_groups(0)) {
    const uint3 at = place_of_block(work, block);
    SUM sum[SUMS];
    for (uint e = 0; e < SUMS; e++) {
      const ulong i = (at.z * (work.down / PLANES) + at.x) * TILE_M + warp * 16 + lane / 4 + e / 2 % 2 * 8,
                  j = (at.z * work.across + at.y) * TILE_N + e / 4 * 8 + lane % 4 * 2 + e % 2;
      sum[e] = 0;
      for (ulong p = 0; p < shape.k; p++) sum[e] += (char)a[i * a_at.row + p] * (char)b[j * b_at.column + p];
    }
    finish(shape, alpha, beta, c, c_at, work, block, item, sum);
  }
}
