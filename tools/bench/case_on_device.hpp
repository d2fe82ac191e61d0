// The matrices of a case in our own memory.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "parts.hpp"
#include "turns.hpp"

namespace tessera::bench {

/// The factors of a case's products.
template <class T>
ConstBatchView<T> operand(const Matrix<T>& stored, const Case& sizes, Op op) {
  ConstBatchView<T> batch = batch_of(stored, sizes.count);
  if (sizes.padding > 0) batch.first = without_padding(stored, sizes.padding);
  return op == Op::none ? batch : op == Op::transpose ? batch.transposed() : batch.adjoint();
}

struct Stored {
  std::size_t rows, columns;
  std::size_t count() const { return rows * columns; }
};

/// The matrix in memory for one of `rows` x `columns` that a case reads by `op`.
inline Stored stored(const Case& sizes, std::size_t rows, std::size_t columns, Op op) {
  if (is_transposed(op)) std::swap(rows, columns);
  return {sizes.count * rows, columns + sizes.padding};
}

/// The matrices of a case on our device.
template <class T>
struct CaseOnDevice {
  CaseOnDevice(const Engine& engine, const Case& sizes, const std::vector<T>& host_a,
               const std::vector<T>& host_b)
      : a(on_device(engine, stored(sizes, sizes.m, sizes.k, sizes.op_a), host_a)),
        b(on_device(engine, stored(sizes, sizes.k, sizes.n, sizes.op_b), host_b)),
        c(engine, sizes.count * sizes.m, sizes.n + sizes.padding),
        others(engine.new_stream()),
        left(operand(a, sizes, sizes.op_a)),
        right(operand(b, sizes, sizes.op_b)) {
    if (sizes.beta != 0) c.upload(std::vector<ProductElement<T>>(c.rows() * c.columns()));
  }

  Matrix<T> a, b;
  Matrix<ProductElement<T>> c;
  Stream others;  // for another library on the same device
  ConstBatchView<T> left, right;

 private:
  static Matrix<T> on_device(const Engine& engine, Stored size, const std::vector<T>& elements) {
    return {engine, size.rows, size.columns, elements};
  }
};

}  // namespace tessera::bench
