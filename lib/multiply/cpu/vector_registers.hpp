// Vector registers of a CPU, estimated from its vector width, for tiles of MR x NR_VECTORS vectors.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/variant.hpp"

namespace tessera::inline v0::multiplication {

/// Number of registers: 32 of 64 bytes, or 16 of 32 bytes or less.
std::size_t registers(const kernels::Target& target);

/// Numbers per register, from 4 to 16: the preferred VECTOR.
int vector_size(const kernels::Target& target);

/// Rules for MR, NR_VECTORS and VECTOR: a vector fills at least half a register, and a tile takes
/// at least half of the registers and at most all of them.
std::vector<kernels::Rule> register_rules();

}  // namespace tessera::inline v0::multiplication
