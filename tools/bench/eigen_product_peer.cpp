// A module, built for this machine's processor and with OpenMP: Eigen is as fast as its compiler's
// options.
#include <Eigen/Core>

#include "blas.hpp"

namespace tessera::bench {
namespace {

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class Matrix>
using Strided = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;

template <class Matrix, class T>
Strided<Matrix> stored(T* elements, std::size_t rows, std::size_t columns, std::size_t padding) {
  return {elements, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns),
          Eigen::OuterStride<>(static_cast<Eigen::Index>(columns + padding))};
}

template <class T>
Strided<const RowMajor<T>> operand(const T* elements, std::size_t rows, std::size_t columns,
                                   bool transposed, std::size_t padding) {
  if (transposed) std::swap(rows, columns);
  return stored<const RowMajor<T>>(elements, rows, columns, padding);
}

template <class T>
void multiply(const RawProduct<T>& product) {
  const auto [m, n, k, count, op_a, op_b, padding, beta, a, b, c] = product;
  for (std::size_t i = 0; i < count; i++) {
    const auto left = operand(a + i * m * k, m, k, is_transposed(op_a), padding);
    const auto right = operand(b + i * k * n, k, n, is_transposed(op_b), padding);
    auto result = stored<RowMajor<T>>(c + i * m * n, m, n, padding);
    if (beta == 0) {
      result.setZero();
    } else {
      result *= static_cast<T>(beta);
    }
    if (is_transposed(op_a) && is_transposed(op_b)) {
      result.noalias() += left.transpose() * right.transpose();
    } else if (is_transposed(op_a)) {
      result.noalias() += left.transpose() * right;
    } else if (is_transposed(op_b)) {
      result.noalias() += left * right.transpose();
    } else {
      result.noalias() += left * right;
    }
  }
}

}  // namespace
}  // namespace tessera::bench

extern "C" {

void eigen_multiply_float(const tessera::bench::RawProduct<float>& product) {
  tessera::bench::multiply(product);
}

void eigen_multiply_double(const tessera::bench::RawProduct<double>& product) {
  tessera::bench::multiply(product);
}
}
