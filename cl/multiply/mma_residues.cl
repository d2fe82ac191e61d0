// C = alpha * A * B + beta * C of doubles, or complex ones, by mma.sync on NVIDIA's GPUs from Ampere on, of bytes
// (accuracy "bounded"): one launch multiplies the operands' PLANES residues, by nvidia/warp_blocks.cl; see
// nvidia/residue_planes.cl.

#include "nvidia/warp_blocks.cl"
#include "nvidia/residue_results.cl"
