// The types of products of sources: NumPy's promotion, without the types that kernels do not have.
#include "commands/operand_types.hpp"

#include <algorithm>

namespace tessera::tool {
namespace {

/// The size of a float that holds integers of the same size as NumPy promotes them.
std::size_t float_size(const Stored& type) {
  if (type.kind == 'f') return type.size;
  if (type.kind == 'c') return type.size / 2;
  if (type.kind == 'V') return 4;  // bfloat16: half has not its range
  return type.size == 1 ? 2 : type.size == 2 ? 4 : 8;
}

ElementType float_type(std::size_t size, const DeviceInfo& device) {
  if (size == 8) return device.has_double ? ElementType::float64 : ElementType::float32;
  return size == 2 ? ElementType::float16 : ElementType::float32;
}

}  // namespace

ElementType operand_type(const Source& a, const Source& b, const DeviceInfo& device) {
  const bool a_is_any = a.stored().kind == 'g', b_is_any = b.stored().kind == 'g';
  if (a_is_any && b_is_any) return ElementType::float32;
  const Stored left = a_is_any ? b.stored() : a.stored();
  const Stored right = b_is_any ? a.stored() : b.stored();
  const auto is_bfloat16_or_byte = [](const Stored& type) {
    return type.kind == 'V' || type.size == 1;
  };
  const bool has_bfloat16 = left.kind == 'V' || right.kind == 'V';
  if (has_bfloat16 && is_bfloat16_or_byte(left) && is_bfloat16_or_byte(right))
    return ElementType::bfloat16;
  if (left.kind == 'c' || right.kind == 'c') {
    const bool is_double = std::max(float_size(left), float_size(right)) == 8;
    return is_double && device.has_double ? ElementType::complex128 : ElementType::complex64;
  }
  if (has_bfloat16 || left.kind == 'f' || right.kind == 'f')
    return float_type(std::max(float_size(left), float_size(right)), device);
  const Stored int8{'i', 1};
  return left == int8 && right == int8 ? ElementType::int8 : ElementType::int32;
}

ElementType eigen_type(const Source& a, const DeviceInfo& device) {
  const Stored type = a.stored();
  const bool is_float = type.kind == 'V' || (type.kind == 'f' && type.size < 8);
  return is_float || !device.has_double ? ElementType::float32 : ElementType::float64;
}

bool is_wide_integer(const Source& source) {
  const Stored type = source.stored();
  return type.kind == 'u' || (type.kind == 'i' && type.size == 8);
}

}  // namespace tessera::tool
