// The element types of products, for the rows of variants.
#pragma once

#include <vector>

#include "tessera/element_type.hpp"

namespace tessera::inline v0::multiplication {

constexpr bool has_16_bits(ElementType type) {
  return type == ElementType::float16 || type == ElementType::bfloat16;
}

/// Operands of 16 bits, with results of their type and of float.
inline std::vector<ProductTypes> types_of_16_bits() {
  return {ElementType::float16,
          ElementType::bfloat16,
          {ElementType::float16, ElementType::float32},
          {ElementType::bfloat16, ElementType::float32}};
}

/// All real ones but int8, whose results have another type than its numbers are stored in.
inline std::vector<ProductTypes> types_but_int8() {
  auto all = types_of_16_bits();
  all.insert(all.begin(), {ElementType::float32, ElementType::float64, ElementType::int32});
  return all;
}

inline std::vector<ProductTypes> real_types() {
  auto all = types_but_int8();
  all.emplace_back(ElementType::int8);
  return all;
}

inline std::vector<ProductTypes> all_product_types() {
  auto all = real_types();
  all.insert(all.end(), {ElementType::complex64, ElementType::complex128});
  return all;
}

/// The types of products whose a, b and c have one type.
inline std::vector<ProductTypes> uniform_types() {
  return {ElementType::float32,   ElementType::float64,  ElementType::int32,
          ElementType::float16,   ElementType::bfloat16, ElementType::complex64,
          ElementType::complex128};
}

}  // namespace tessera::inline v0::multiplication
