// C = alpha * A * B + beta * C of doubles, or complex ones, by wgmma on NVIDIA's Hopper, of bytes (accuracy "bounded"):
// one launch multiplies the operands' PLANES residues, by nvidia/wide_blocks.cl; see nvidia/residue_planes.cl.

#include "nvidia/wide_blocks.cl"
#include "nvidia/residue_results.cl"
