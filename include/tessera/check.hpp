// Check: runs kernels on edge cases and compares every element with a reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <tessera/kernel.hpp>
#include <tessera/verify.hpp>

namespace tessera::inline v0 {

/// One problem to check a kernel on. Operands are random, the output is poisoned, and all are
/// surrounded by guard zones.
struct CheckCase {
  Problem problem = {};
  bool strided = false;  ///< operands are blocks within larger matrices
  std::uint64_t seed = 1;
  /// Some rows of a and columns of b hold infinities, NaN and zeros, where the type has them.
  bool non_finite = false;
};

/// "3 x 5 x 7, a transposed, beta 0.5, strided".
TESSERA_API std::string describe(const CheckCase& check_case);

struct CheckResult {
  KernelRun ran;
  Verification verification;
  std::string failure;  ///< empty: passed
};

/// Runs the problem, and checks every element and that nothing around the output was written.
/// Exceptions of the operation propagate; throws ArgumentError for one that does not exist.
TESSERA_API CheckResult check(const Engine& engine, const CheckCase& check_case,
                              const KernelChoice& kernel = {});

/// Cases for a variant of an operation with these parameters. The sizes are whole blocks, parts of
/// blocks and primes; the shapes are square, tall, wide, deep, tiny and empty. There are batches,
/// every transpose, and strides. Default parameters get more cases. No size exceeds `largest`,
/// which must be at least 16.
TESSERA_API std::vector<CheckCase> check_cases(
    const std::string& operation, const ProductTypes& types, const Parameters& parameters,
    bool defaults, std::size_t largest = std::numeric_limits<std::size_t>::max());

/// The mode to check a variant in: the default, unless it runs in Accuracy::bounded alone.
TESSERA_API Mode check_mode(const Engine& engine, const VariantInfo& variant,
                            const ProductTypes& types);

}  // namespace tessera::inline v0
