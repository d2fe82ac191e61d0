// C = alpha * A * B + beta * C of integers of a byte by mma.sync on NVIDIA's GPUs from Ampere on, summed modulo 2^32
// (nvidia/warp_blocks.cl). Operands that are not stored along k, at multiples of 4 bytes, are copied first.

#include "nvidia/byte_copies.cl"
#include "nvidia/warp_blocks.cl"
#include "nvidia/word_results.cl"
