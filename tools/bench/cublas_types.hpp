// Types of cuBLAS and cuBLASLt, and their view of a product.
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tessera/half.hpp>
#include <type_traits>
#include <utility>

#include "blas.hpp"

namespace tessera::bench {

/// Codes of cudaDataType_t and cublasComputeType_t, for operands of float, double, complex numbers
/// of them, half or int8: no TF32, halves in sums of float.
struct CublasTypes {
  int operands, c, scalars, compute;
};

template <class T>
constexpr CublasTypes cublas_types() {
  constexpr int kReal32 = 0, kReal64 = 1, kReal16 = 2, kInteger8 = 3, kComplex32 = 4,
                kComplex64 = 5, kInteger32 = 10;
  constexpr int kCompute32 = 68, kCompute64 = 70, kComputeIntegers = 72;
  if (std::same_as<T, std::int8_t>) return {kInteger8, kInteger32, kInteger32, kComputeIntegers};
  if (std::same_as<T, double>) return {kReal64, kReal64, kReal64, kCompute64};
  if (std::same_as<T, float>) return {kReal32, kReal32, kReal32, kCompute32};
  if (std::same_as<T, std::complex<float>>) return {kComplex32, kComplex32, kComplex32, kCompute32};
  if (std::same_as<T, std::complex<double>>)
    return {kComplex64, kComplex64, kComplex64, kCompute64};
  return {kReal16, kReal16, kReal32, kCompute32};
}

/// The C++ type of alpha and beta.
template <class T>
using CublasScalar = std::conditional_t<std::same_as<T, std::int8_t>, std::int32_t,
                                        std::conditional_t<std::same_as<T, half>, float, T>>;

template <class T>
CublasScalar<T> cublas_scalar(double value) {
  if constexpr (kIsComplex<T>)
    return static_cast<typename T::value_type>(value);
  else
    return static_cast<CublasScalar<T>>(value);
}

/// An operand that is stored by columns.
struct CublasOperand {
  int op;                                        // of cublasOperation_t
  std::size_t rows, columns, leading_dimension;  // as stored
  std::size_t count() const { return leading_dimension * columns; }
};

/// A product of matrices that are stored by rows as these libraries see it: C' = B' A'.
struct CublasProduct {
  CublasOperand first, second, result;

  template <class T, class C>
  explicit CublasProduct(const RawProduct<T, C>& p)
      : first(operand(p.op_b, p.n, p.k, p.padding)),
        second(operand(p.op_a, p.k, p.m, p.padding)),
        result(operand(Op::none, p.n, p.m, p.padding)) {}

 private:
  static CublasOperand operand(Op op, std::size_t rows, std::size_t columns, std::size_t padding) {
    if (is_transposed(op)) std::swap(rows, columns);
    return {op == Op::none ? 0 : op == Op::transpose ? 1 : 2, rows, columns, rows + padding};
  }
};

inline void check_cublas(int status, const char* call) {
  if (status != 0) throw std::runtime_error(std::string(call) + ": " + std::to_string(status));
}

}  // namespace tessera::bench
