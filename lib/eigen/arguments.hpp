// Arguments of the eigenpair's kernels (cl/common/vectors.cl), and grids that cover them.
#pragma once

#include <algorithm>
#include <cstddef>

#include "operands/grid.hpp"
#include "runtime/memory.hpp"
#include "runtime/opencl.hpp"
#include "runtime/submission.hpp"
#include "tessera/kernel.hpp"
#include "tessera/matrix.hpp"

namespace tessera::inline v0::eigen {

using operands::cover;
using operands::divide_up;
using operands::slices;

// Must match cl/common/vectors.cl.
struct Rows {
  cl_ulong offset, row;
};
struct LocalRows {
  cl_ulong count, first;
};
struct Vector {
  cl_ulong offset, stride;
};
struct Ring {
  cl_ulong stride;
  cl_uint size, index;
};

struct MatrixArgument {
  const cl::Buffer* buffer;
  Rows at;
};
struct VectorArgument {
  const cl::Buffer* buffer;
  Vector at;
};

inline MatrixArgument matrix_argument(const detail::Operand& of) {
  return {&of.memory->buffer(), {of.offset, of.leading_dimension}};
}
inline VectorArgument vector_argument(const detail::Operand& of) {
  return {&of.memory->buffer(), {of.offset, of.leading_dimension}};
}
/// Contiguous elements of a buffer.
inline MatrixArgument dense_matrix(const cl::Buffer& buffer, std::size_t columns) {
  return {&buffer, {0, columns}};
}
inline VectorArgument dense_vector(const cl::Buffer& buffer, std::size_t offset = 0) {
  return {&buffer, {offset, 1}};
}

/// Arguments that every operation of the eigenpair has besides its operands.
struct StepArguments {
  ElementType type;
  std::size_t n;           ///< length of vectors, rows of matrices
  const cl::Buffer* halt;  ///< a word; if it is not 0, the kernels do nothing
};

}  // namespace tessera::inline v0::eigen
