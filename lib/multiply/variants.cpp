// The table of multiply variants. A new one is a row here and its file in cl/multiply/.
#include "multiply/variants.hpp"

#include <vector>

#include "multiply/basic_variants.hpp"
#include "multiply/packed.hpp"
#include "multiply/register_tiled.hpp"

namespace tessera::inline v0::multiplication {
namespace {

std::vector<MultiplyVariant> rows() {
  std::vector<MultiplyVariant> all = basic_variants();
  all.push_back(register_tiled());
  all.push_back(packed());
  return all;
}

std::vector<std::string> preference(const DeviceInfo& device) {
  return {device.type == DeviceType::cpu ? "packed" : "register_tiled", "naive"};
}

}  // namespace

const kernels::Table<Problem>& multiply_table() {
  static const kernels::Table<Problem> table(
      "multiply",
      {ElementType::float32, ElementType::float64, ElementType::int32, ElementType::float16},
      rows(), preference);
  return table;
}

}  // namespace tessera::inline v0::multiplication
