// Operands of products as they are passed to kernels (cl/common/product.cl).
#pragma once

#include <optional>
#include <utility>

#include "runtime/memory.hpp"
#include "runtime/opencl.hpp"
#include "tessera/matrix.hpp"

namespace tessera::inline v0::operands {

// Shape and Layout have the members of the structs in cl/common/product.cl.
struct Shape {
  cl_ulong m, n, k;
};
/// Element (i, j) of product p is at offset + p * batch + i * row + j * column.
struct Layout {
  cl_ulong offset, row, column, batch = 0;
};

struct Operand {
  runtime::Memory* memory;
  Layout at;
  std::optional<cl::Buffer> copy = {};  ///< that is read in place of the memory

  const cl::Buffer& buffer() const { return copy ? *copy : memory->buffer(); }
};

/// Elements between a multiple of 16 bytes and an element at `offset` of a memory.
inline std::size_t unaligned_part(std::size_t offset, ElementType type) {
  constexpr std::size_t kAlignment = 16;
  return offset % (kAlignment / element_size(type));
}

/// The leading dimension as Problem stores it: 0 if the rows are dense.
inline std::size_t stride_of(const detail::Operand& matrix) {
  return matrix.leading_dimension == matrix.stored_columns ? 0 : matrix.leading_dimension;
}

/// A transpose swaps the strides.
inline Operand operand_of(const detail::Operand& matrix, std::size_t batch_stride = 0) {
  Layout at{matrix.offset, matrix.leading_dimension, 1, batch_stride};
  if (is_transposed(matrix.op)) std::swap(at.row, at.column);
  return {matrix.memory.get(), at};
}

}  // namespace tessera::inline v0::operands
