// Check subjects: the variants that a check goes through, each with each type.
#pragma once

#include <string>
#include <tessera/kernel.hpp>
#include <vector>

#include "element_types.hpp"

namespace tessera::tool {

struct CheckSubject {
  const std::string* operation;
  const VariantInfo* variant;
  ProductTypes types;
};

/// All subjects; if they are named, only subjects of one operation, of one variant and of the
/// requested types. Throws UsageError if there are none.
std::vector<CheckSubject> check_subjects(const std::string& operation, const std::string& variant,
                                         const TypeRequest& types);

}  // namespace tessera::tool
