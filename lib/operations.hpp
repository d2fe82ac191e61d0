// All operations with their rows.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/operation.hpp"

namespace tessera::inline v0 {

const std::vector<const kernels::Operation*>& operation_tables();

/// Throws ArgumentError, which lists those there are.
const kernels::Operation& find_operation(std::string_view name);

/// The problem with 1 for what its operation does not look at: see OperationInfo::dimensions.
Problem canonical(Problem problem);

}  // namespace tessera::inline v0
