// Trials: kernels tried on awkward input, every element checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <tessera/multiply.hpp>
#include <tessera/verify.hpp>

namespace tessera::inline v0 {

/// One product to try a kernel on. Operands are random, the output is poisoned, and all lie within
/// guard zones.
struct MultiplyCase {
  std::size_t rows = 1, columns = 1, k = 1;
  bool transpose_a = false, transpose_b = false;
  double alpha = 1, beta = 0;
  bool strided = false;  ///< operands are blocks within larger matrices
  std::uint64_t seed = 1;
};

/// "3 x 5 x 7, a transposed, beta 0.5, strided": rows, columns, inner.
TESSERA_API std::string describe(const MultiplyCase& product);

/// Sizes around a kernel's parameters, primes, tall, wide, deep, tiny and empty ones; every
/// transpose, with and without strides, among them. No size is over `largest`, which is 16 at the
/// least.
TESSERA_API std::vector<MultiplyCase> edge_cases(
    const Parameters& parameters, std::size_t largest = std::numeric_limits<std::size_t>::max());

/// Every transpose with every kind of alpha, beta and stride, at one awkward size; and a product
/// of more than one block.
TESSERA_API std::vector<MultiplyCase> crossed_cases(
    std::size_t largest = std::numeric_limits<std::size_t>::max());

struct CheckResult {
  KernelRun ran;
  Verification verification;
  std::string failure;  ///< empty: passed
};

/// Runs one product, checks every element, and that nothing around the output was written.
/// What `multiply_into` throws passes through.
template <Element T>
TESSERA_API CheckResult check_multiply(const Engine& engine, const MultiplyCase& product,
                                       const KernelChoice& kernel = {});

/// Something to try a kernel of any operation on.
struct CheckCase {
  std::string description;
  std::function<CheckResult(const Engine&, const KernelChoice&)> run;
};

/// The trials of a variant with these parameters; with the defaults there are more than with
/// others. No size is over `largest`, which is 16 at the least.
TESSERA_API std::vector<CheckCase> check_cases(
    const std::string& operation, ElementType type, const Parameters& parameters, bool defaults,
    std::size_t largest = std::numeric_limits<std::size_t>::max());

}  // namespace tessera::inline v0
