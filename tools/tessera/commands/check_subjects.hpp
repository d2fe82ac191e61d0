// Check subjects: the variants that a check goes through, each with each type.
#pragma once

#include <string>
#include <tessera/kernel.hpp>
#include <vector>

namespace tessera::tool {

struct CheckSubject {
  const std::string* operation;
  const VariantInfo* variant;
  ElementType type;
};

/// All variants and types, or only the ones of the operation, variant or type whose name is not
/// empty. Throws UsageError if nothing is left.
std::vector<CheckSubject> check_subjects(const std::string& operation, const std::string& variant,
                                         const std::string& dtype);

}  // namespace tessera::tool
