// Trials of the eigenpair's operations.
#pragma once

#include <string>
#include <vector>

#include "tessera/trial.hpp"

namespace tessera::inline v0::eigen {

/// Awkward matrices and vectors for one of the operations.
std::vector<Trial> trials(const std::string& operation, ElementType type, bool defaults,
                          std::size_t largest);

}  // namespace tessera::inline v0::eigen
