// Results of a product of residues, which multiply_join_residues takes (residue_planes.cl).

#include "nvidia/residue_planes.cl"

// The sums' residues to scratch memory, in the order of the work-items' registers, 128 more each.
inlined void finish(const Shape shape, const number alpha, const number beta, global output* c, const Layout c_at,
                    const Work work, const uint of_block, const uint item, SUM sum[SUMS]) {
  const uint3 block = place_of_block(work, of_block);
  const uint down = work.down / PLANES;
  const Modulus of = modulus_of(block.z / PARTS);
#pragma unroll
  for (uint piece = 0; piece < PIECES; piece++) {
    uint words[2];
#pragma unroll
    for (uint w = 0; w < 2; w++) {
      uint residues[4];
#pragma unroll
      for (uint e = 0; e < 4; e++) residues[e] = residue_of_int(sum[piece * 8 + w * 4 + e], of);
      words[w] = lowest_bytes(residues[0], residues[1], residues[2], residues[3]) ^ 0x80808080;
    }
    global uint* to = place_of_piece(c, (block.z * down + block.x) * work.across + block.y, piece, item);
    *(global uint2*)to = (uint2)(words[0], words[1]);
  }
}
