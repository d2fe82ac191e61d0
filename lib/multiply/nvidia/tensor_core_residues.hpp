// The rows of the table for double, and complex128, by integers of a byte.
#pragma once

#include <cstddef>

#include "multiply/nvidia/mapped.hpp"
#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core_residues.cl: double and complex128 in bounded accuracy.
MultiplyVariant tensor_core_residues();
/// cl/multiply/mma_residues.cl: the same.
MultiplyVariant mma_residues();

/// Enqueues the products of a call, in parts whose residues take at most `limit` bytes of A, and
/// half as many of B and of C, or a tile's. Throws UnsupportedError for k above 2^17.
void enqueue_residues(const kernels::Plan& plan, const Call& call, runtime::Submission& submission,
                      std::size_t limit);

/// Its tiles, of each plane.
inline constexpr MappedTiles kTensorCoreResiduesTiles{128, 256, 128, 1, 1};

}  // namespace tessera::inline v0::multiplication
