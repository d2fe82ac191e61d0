// Parts of a row that the eigenpair's operations share.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "kernels/operation.hpp"
#include "kernels/trial.hpp"

namespace tessera::inline v0::eigen {

/// An operation for float and double, with its check cases.
kernels::Operation step_operation(std::string name, Dimensions dimensions);
/// The same, with its check and workload.
kernels::Operation step_operation(std::string name, Dimensions dimensions,
                                  const kernels::Trial& trial);

/// Work of an operation, per element of its matrix or vectors: flops, and elements moved.
std::function<Work(const Problem&)> work_over_matrix(double flops, double elements);
std::function<Work(const Problem&)> work_over_vector(double flops, double elements);

/// The same preference on every device.
std::function<kernels::Preference(const DeviceCapabilities&, const Problem&)> prefer(
    std::initializer_list<std::string_view> names);

}  // namespace tessera::inline v0::eigen
