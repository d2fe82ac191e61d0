// All operations with their rows.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/operation.hpp"

namespace tessera::inline v0 {

const std::vector<const kernels::Operation*>& operation_tables();

/// Throws ArgumentError, which lists the operations that exist.
const kernels::Operation& find_operation(std::string_view name);

/// Returns the problem with 1 for the dimensions that its operation does not use; see
/// OperationInfo::dimensions.
Problem canonical(Problem problem);

}  // namespace tessera::inline v0
