// Fused multiply-add by the processor, or by numbers of 113 bits.
#include "runtime/fma.hpp"

#include <bit>

namespace tessera::inline v0::runtime {
namespace {

__attribute__((target("fma"))) float by_processor(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
__attribute__((target("fma"))) double by_processor(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}

/// The product is exact. The sum is rounded to an odd number, so that the second rounding has the
/// result of a single one (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", IEEE
/// Transactions on Computers 57, 2008).
template <class Number>
Number by_wide_numbers(Number x, Number y, Number z) {
  using Wide = __float128;
  const Wide product = Wide{x} * Wide{y}, term = z, sum = product + term;
  const Wide of_term = sum - product;
  const Wide lost = (product - (sum - of_term)) + (term - of_term);
  auto bits = std::bit_cast<unsigned __int128>(sum);
  const bool is_exact = !(lost < 0 || lost > 0), is_odd = (bits & 1) != 0;
  if (is_exact || is_odd) return static_cast<Number>(sum);
  bits += (lost > 0) == (sum > 0) ? 1 : -1;
  return static_cast<Number>(std::bit_cast<Wide>(bits));
}

template <class Number>
Number either(Number x, Number y, Number z) {
  static const bool has_instruction = __builtin_cpu_supports("fma") != 0;
  return has_instruction ? by_processor(x, y, z) : by_wide_numbers(x, y, z);
}

}  // namespace

float fma(float x, float y, float z) { return either(x, y, z); }
double fma(double x, double y, double z) { return either(x, y, z); }

}  // namespace tessera::inline v0::runtime
