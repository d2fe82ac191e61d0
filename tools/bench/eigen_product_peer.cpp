// A module, built for this machine's processor and with OpenMP: Eigen is as fast as its compiler's
// options.
#include <Eigen/Core>

#include "blas.hpp"

namespace tessera::bench {
namespace {

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
Eigen::Map<const RowMajor<T>> stored(const T* elements, std::size_t rows, std::size_t columns,
                                     bool transposed) {
  if (transposed) std::swap(rows, columns);
  return {elements, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

template <class T>
void multiply(const RawProduct<T>& product) {
  const auto [m, n, k, count, transpose_a, transpose_b, a, b, c] = product;
  for (std::size_t i = 0; i < count; i++) {
    const auto left = stored(a + i * m * k, m, k, transpose_a);
    const auto right = stored(b + i * k * n, k, n, transpose_b);
    Eigen::Map<RowMajor<T>> result(c + i * m * n, static_cast<Eigen::Index>(m),
                                   static_cast<Eigen::Index>(n));
    if (transpose_a && transpose_b) {
      result.noalias() = left.transpose() * right.transpose();
    } else if (transpose_a) {
      result.noalias() = left.transpose() * right;
    } else if (transpose_b) {
      result.noalias() = left * right.transpose();
    } else {
      result.noalias() = left * right;
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
