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

/// All, or those of one operation, variant or type where its name is not empty. Throws UsageError
/// where nothing is left.
std::vector<CheckSubject> check_subjects(const std::string& operation, const std::string& variant,
                                         const std::string& dtype);

}  // namespace tessera::tool
