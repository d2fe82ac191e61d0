// All operations with their tables.
#pragma once

#include <string>
#include <vector>

#include "kernels/plan.hpp"
#include "tessera/check.hpp"

namespace tessera::inline v0 {

const std::vector<const kernels::Operation*>& operation_tables();

/// Throws UnsupportedError, which lists those there are.
const kernels::Operation& find_operation(const std::string& name);

/// One product, tried with elements of a type.
CheckCase check_case_of(const MultiplyCase& product, ElementType type);

}  // namespace tessera::inline v0
