// Verify: products checked on the host, against double arithmetic and a proven error bound.
#pragma once

#include <cstddef>
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

/// Compares `c` = alpha * op(a) * op(b) + beta * `c_before` with the bound that `multiply`
/// documents. All are row-major on the host; after op, a is rows x k and b is k x columns;
/// `c_before` may be empty if beta is 0. Only every `row_step`-th row of c is checked.
template <class T>
TESSERA_API Verification verify_multiply(std::size_t rows, std::size_t columns, std::size_t k,
                                         std::span<const T> a, std::span<const T> b,
                                         std::span<const ProductElement<T>> c_before,
                                         std::span<const ProductElement<T>> c,
                                         const MultiplyOptions<T>& options = {},
                                         std::size_t row_step = 1);

}  // namespace tessera::inline v0
