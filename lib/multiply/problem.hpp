// Problem: one product as the kernels are given it, C = alpha * A * B + beta * C.
#pragma once

#include "kernels/element.hpp"
#include "runtime/memory.hpp"
#include "runtime/opencl.hpp"
#include "runtime/submission.hpp"
#include "tessera/multiply.hpp"

namespace tessera::inline v0::multiplication {

// As in cl/common/product.cl.
struct Shape {
  cl_ulong m, n, k;
};
struct Layout {
  cl_ulong offset, row, column;
};

struct Operand {
  runtime::Memory* memory;
  Layout at;

  const cl::Buffer& buffer() const { return memory->buffer(); }
};

struct Problem {
  ElementType type;
  Shape shape;
  runtime::Value alpha, beta;
  Operand a, b, c;  // m x k, k x n, m x n after transposes
};

/// Checks shapes, devices and overlap; throws MatrixError and DeviceError. Transposes become
/// strides, and alpha == 0 an empty inner dimension, so that A and B are not read.
template <Element T>
Problem describe(const MatrixView<T>& c, const ConstMatrixView<T>& a, const ConstMatrixView<T>& b,
                 const MultiplyOptions<T>& options);

/// The shape of the result, m and n; throws MatrixError where a and b do not fit.
template <Element T>
Shape shape_of(const ConstMatrixView<T>& a, const ConstMatrixView<T>& b,
               const MultiplyOptions<T>& options);

}  // namespace tessera::inline v0::multiplication
