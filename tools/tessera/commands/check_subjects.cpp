// The variants and types that --operation, --variant and --dtype select.
#include "commands/check_subjects.hpp"

#include <fmt/format.h>

#include "usage_error.hpp"

namespace tessera::tool {

std::vector<CheckSubject> check_subjects(const std::string& wanted_operation,
                                         const std::string& wanted_variant,
                                         const TypeRequest& wanted_types) {
  const auto wanted = [](const std::string& option, std::string_view name) {
    return option.empty() || option == name;
  };
  const auto has_wanted_types = [&](const ProductTypes& types) {
    return wanted_types.operands.value_or(types.a) == types.a &&
           wanted_types.result.value_or(types.c) == types.c;
  };
  std::vector<CheckSubject> subjects;
  for (const OperationInfo& operation : operations()) {
    for (const VariantInfo& variant : operation.variants) {
      if (!wanted(wanted_operation, operation.name) || !wanted(wanted_variant, variant.name()))
        continue;
      for (const ProductTypes& types : operation.types) {
        if (has_wanted_types(types)) subjects.push_back({&operation.name, &variant, types});
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
