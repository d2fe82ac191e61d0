// The list of operations: the library's table of contents.
#include "multiply/variants.hpp"
#include "tessera/kernel.hpp"

namespace tessera::inline v0 {
namespace {

std::vector<OperationInfo> list() {
  std::vector<OperationInfo> all;
  for (const kernels::Operation* operation : {&multiplication::multiply_operation()}) {
    OperationInfo& info = all.emplace_back();
    info.name = operation->name;
    for (const kernels::Variant* variant : operation->variants)
      info.variants.emplace_back(*variant);
  }
  return all;
}

}  // namespace

const std::vector<OperationInfo>& operations() {
  static const std::vector<OperationInfo> all = list();
  return all;
}

}  // namespace tessera::inline v0
