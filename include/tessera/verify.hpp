// Verify: products checked on the host, against double arithmetic and a proven error bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <tessera/multiply.hpp>

namespace tessera::inline v0 {

/// The worst element of a product, against a reference in double (int32 and int8: exact, modulo
/// 2^32).
struct Verification {
  double max_error = 0;    ///< largest |c - reference|
  double error_bound = 0;  ///< the bound of the element where error / bound is largest
  double worst = 0;        ///< largest error / bound; NaN counts as infinite
  std::size_t elements = 0;
  /// Of these, those where sum |a||b| overflows: nothing is guaranteed there, any value passes.
  std::size_t unbounded = 0;
  /// Of these, integers whose exact value int32 cannot hold: they are right modulo 2^32 only.
  std::size_t wrapped = 0;
  bool passed() const { return worst <= 1; }
  /// Takes the elements of another product into account.
  TESSERA_API void merge(const Verification& other);
};

/// The elements of a product that are compared, where it has more than `max_elements`: about as
/// many, where some rows cross some columns. The first and the last rows and columns are among
/// them, the others differ from seed to seed.
struct VerifySample {
  std::size_t max_elements = std::numeric_limits<std::size_t>::max();
  std::uint64_t seed = 0;
};

/// Compares `c` = alpha * op(a) * op(b) + beta * `c_before` with the bound that `multiply`
/// documents. All are row-major on the host; after op, a is rows x k and b is k x columns;
/// `c_before` may be empty if beta is 0.
template <class T>
TESSERA_API Verification verify_multiply(std::size_t rows, std::size_t columns, std::size_t k,
                                         std::span<const T> a, std::span<const T> b,
                                         std::span<const ProductElement<T>> c_before,
                                         std::span<const ProductElement<T>> c,
                                         const MultiplyOptions<T>& options = {},
                                         const VerifySample& sample = {});

}  // namespace tessera::inline v0
