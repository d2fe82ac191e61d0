// C = alpha * A * B + beta * C of integers of a byte by wgmma on NVIDIA's Hopper, summed modulo 2^32: bulk copies bring
// tiles of the operands to local memory (nvidia/wide_blocks.cl). Operands that are not stored along k, at multiples of
// 16 bytes, are copied first.

#include "nvidia/byte_copies.cl"
#include "nvidia/wide_blocks.cl"
#include "nvidia/word_results.cl"
