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
  double max_error = 0;    ///< largest |c - reference|; of complex elements, of a part
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

/// The elements of a product to compare if it has more than `max_elements`. They are about as many,
/// at the crossings of some rows and columns. The first and the last rows and columns are among
/// them; the others depend on the seed.
struct VerifySample {
  std::size_t max_elements = std::numeric_limits<std::size_t>::max();
  std::uint64_t seed = 0;
};

/// A product in host memory, row-major: c = alpha * op_a(a) * op_b(b) + beta * c_before, where
/// op_a(a) is rows x k and op_b(b) is k x columns. `c_before` may be empty if beta is 0.
template <Element T, Element C = ProductElement<T>>
struct HostProduct {
  std::size_t rows = 0, columns = 0, k = 0;
  std::span<const T> a = {}, b = {};
  std::span<const C> c_before = {}, c = {};
  Op op_a = Op::none, op_b = Op::none;
};

namespace detail {

/// The same without element types: spans are pointers and numbers of elements.
struct HostArray {
  const void* data = nullptr;
  std::size_t count = 0;
};
struct UntypedProduct {
  ProductTypes types;
  std::size_t rows, columns, k;
  HostArray a, b, c_before, c;
  Op op_a, op_b;
};

TESSERA_API Verification verify_multiply(const UntypedProduct& product,
                                         const MultiplyOptions& options,
                                         const VerifySample& sample);

template <class T>
HostArray array_of(std::span<const T> elements) {
  return {elements.data(), elements.size()};
}

}  // namespace detail

/// Compares a product with the bound that `multiply` documents. Of the options, alpha, beta and
/// accuracy count. Throws MatrixError for spans that do not have a matrix's elements.
template <Element T, Element C>
requires detail::ResultFor<C, T> Verification verify_multiply(const HostProduct<T, C>& product,
                                                              const MultiplyOptions& options = {},
                                                              const VerifySample& sample = {}) {
  return detail::verify_multiply({.types = {kElementType<T>, kElementType<C>},
                                  .rows = product.rows,
                                  .columns = product.columns,
                                  .k = product.k,
                                  .a = detail::array_of(product.a),
                                  .b = detail::array_of(product.b),
                                  .c_before = detail::array_of(product.c_before),
                                  .c = detail::array_of(product.c),
                                  .op_a = product.op_a,
                                  .op_b = product.op_b},
                                 options, sample);
}

}  // namespace tessera::inline v0
