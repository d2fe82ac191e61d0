// Trials: one product with random operands, a poisoned output, and guard zones around everything.
#include "tessera/check.hpp"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "multiply/guarded.hpp"

namespace tessera::inline v0 {
namespace {

using multiplication::Guarded;
using multiplication::poison;
using multiplication::random_elements;

template <Element T>
MultiplyOptions<T> options_of(const MultiplyCase& product, const KernelChoice& kernel) {
  return {.alpha = static_cast<Scalar<T>>(product.alpha),
          .beta = static_cast<Scalar<T>>(product.beta),
          .transpose_a = product.transpose_a,
          .transpose_b = product.transpose_b,
          .kernel = kernel};
}

}  // namespace

template <Element T>
CheckResult check_multiply(const Engine& engine, const MultiplyCase& product,
                           const KernelChoice& kernel) {
  const auto& [m, n, k, transpose_a, transpose_b, alpha, beta, strided, seed] = product;
  std::mt19937_64 random(seed);
  const auto a = random_elements<T>(m * k, random), b = random_elements<T>(k * n, random);
  const auto c = beta == 0 ? std::vector<T>(m * n, poison<T>()) : random_elements<T>(m * n, random);
  Guarded<T> a_guarded(engine, transpose_a ? k : m, transpose_a ? m : k, strided, a);
  Guarded<T> b_guarded(engine, transpose_b ? n : k, transpose_b ? k : n, strided, b);
  Guarded<T> c_guarded(engine, m, n, strided, c);

  const auto options = options_of<T>(product, kernel);
  CheckResult result;
  result.ran = multiply_into(c_guarded.view(), a_guarded.view(), b_guarded.view(), options);
  const auto computed = c_guarded.inside();
  result.verification = verify_multiply<T>(m, n, k, a, b, c, computed, options);
  if (!result.verification.passed()) {
    result.failure = fmt::format("largest error {:.3g}, {:.3g} of the bound",
                                 result.verification.max_error, result.verification.worst);
  } else if (!a_guarded.intact() || !b_guarded.intact() || !c_guarded.intact()) {
    result.failure = "memory outside the output was written";
  }
  return result;
}

template CheckResult check_multiply<float>(const Engine&, const MultiplyCase&, const KernelChoice&);
template CheckResult check_multiply<double>(const Engine&, const MultiplyCase&,
                                            const KernelChoice&);
template CheckResult check_multiply<std::int32_t>(const Engine&, const MultiplyCase&,
                                                  const KernelChoice&);
template CheckResult check_multiply<half>(const Engine&, const MultiplyCase&, const KernelChoice&);

}  // namespace tessera::inline v0
