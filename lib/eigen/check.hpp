// Trials of the eigenpair's operations.
#pragma once

#include <string>
#include <vector>

#include "tessera/check.hpp"

namespace tessera::inline v0::eigen {

/// Awkward matrices and vectors for one of the operations.
std::vector<CheckCase> check_cases(const std::string& operation, ElementType type, bool defaults,
                                   std::size_t largest);

}  // namespace tessera::inline v0::eigen
