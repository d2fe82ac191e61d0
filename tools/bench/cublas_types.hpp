// Types of cuBLAS and cuBLASLt, and their view of a product.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tessera/half.hpp>
#include <type_traits>

#include "blas.hpp"

namespace tessera::bench {

/// Codes of cudaDataType_t and cublasComputeType_t, for operands of float, double, half or int8: no
/// TF32, halves in sums of float.
struct CublasTypes {
  int operands, c, scalars, compute;
};

template <class T>
constexpr CublasTypes cublas_types() {
  constexpr int kReal32 = 0, kReal64 = 1, kReal16 = 2, kInteger8 = 3, kInteger32 = 10;
  constexpr int kCompute32 = 68, kCompute64 = 70, kComputeIntegers = 72;
  if (std::same_as<T, std::int8_t>) return {kInteger8, kInteger32, kInteger32, kComputeIntegers};
  if (std::same_as<T, double>) return {kReal64, kReal64, kReal64, kCompute64};
  if (std::same_as<T, float>) return {kReal32, kReal32, kReal32, kCompute32};
  return {kReal16, kReal16, kReal32, kCompute32};
}

/// The C++ type of alpha and beta.
template <class T>
using CublasScalar = std::conditional_t<std::same_as<T, std::int8_t>, std::int32_t,
                                        std::conditional_t<std::same_as<T, half>, float, T>>;

/// An operand that is stored by columns.
struct CublasOperand {
  int transposed;             // of cublasOperation_t
  std::size_t rows, columns;  // as stored, `rows` from one column to the next
  std::size_t count() const { return rows * columns; }
};

/// A product of matrices that are stored by rows as these libraries see it: C' = B' A'.
struct CublasProduct {
  CublasOperand first, second, result;

  template <class T, class C>
  explicit CublasProduct(const RawProduct<T, C>& p)
      : first{p.transpose_b, p.transpose_b ? p.k : p.n, p.transpose_b ? p.n : p.k},
        second{p.transpose_a, p.transpose_a ? p.m : p.k, p.transpose_a ? p.k : p.m},
        result{0, p.n, p.m} {}
};

inline void check_cublas(int status, const char* call) {
  if (status != 0) throw std::runtime_error(std::string(call) + ": " + std::to_string(status));
}

}  // namespace tessera::bench
