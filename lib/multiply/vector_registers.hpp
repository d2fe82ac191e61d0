// Vector registers of a CPU, as far as OpenCL tells of them, for tiles of MR x NR_VECTORS vectors.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/variant.hpp"

namespace tessera::inline v0::multiplication {

/// How many there are: 32 of 64 bytes, or 16 of 32 bytes and less.
std::size_t registers(const kernels::Target& target);

/// Numbers of one, but 4 at the least: a VECTOR.
int vector_size(const kernels::Target& target);

/// Of MR, NR_VECTORS and VECTOR: vectors that are no smaller than half a register, tiles that take
/// half of the registers at the least.
std::vector<kernels::Rule> register_rules();

}  // namespace tessera::inline v0::multiplication
