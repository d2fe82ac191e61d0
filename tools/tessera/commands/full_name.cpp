// Names of variants with their operations.
#include "commands/full_name.hpp"

#include <algorithm>

namespace tessera::tool {

std::string full_name(const std::string& operation, const std::string& variant) {
  return operation + '/' + variant;
}

std::size_t full_name_columns() {
  std::size_t columns = 0;
  for (const OperationInfo& operation : operations()) {
    for (const VariantInfo& variant : operation.variants)
      columns = std::max(columns, full_name(operation.name, variant.name()).size());
  }
  return columns;
}

}  // namespace tessera::tool
