// The variants and types that --operation, --variant and --dtype select.
#include "commands/check_subjects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "element_types.hpp"
#include "usage_error.hpp"

namespace tessera::tool {

std::vector<CheckSubject> check_subjects(const std::string& wanted_operation,
                                         const std::string& wanted_variant,
                                         const std::string& wanted_dtype) {
  const auto wanted = [](const std::string& option, std::string_view name) {
    return option.empty() || option == name;
  };
  std::vector<ElementType> types;
  for (const std::string& dtype : element_type_names()) {
    const ElementType type = element_type(dtype);
    if (wanted_dtype.empty() || type == element_type(wanted_dtype)) types.push_back(type);
  }
  std::vector<CheckSubject> subjects;
  for (const OperationInfo& operation : operations()) {
    for (const VariantInfo& variant : operation.variants) {
      if (!wanted(wanted_operation, operation.name) || !wanted(wanted_variant, variant.name()))
        continue;
      for (const ElementType type : types) {
        if (std::ranges::find(operation.types, type) != operation.types.end())
          subjects.push_back({&operation.name, &variant, type});
      }
    }
  }
  if (subjects.empty()) {
    throw UsageError(fmt::format(
        "nothing to check: no operation \"{}\" with a variant \"{}\" (tessera devices lists them)",
        wanted_operation, wanted_variant));
  }
  return subjects;
}

}  // namespace tessera::tool
