// OpenCL's loader, if the library opens it at run time, and drivers that are named by their paths.
#pragma once

#include <string>
#include <vector>

#include "runtime/opencl.hpp"

namespace tessera::inline v0::runtime {

/// False if the library opens the loader at run time (TESSERA_LOAD_OPENCL) and the system has none.
/// Platforms of drivers in $TESSERA_DRIVERS can be used even then.
bool has_opencl_loader();

/// The platforms of the drivers whose paths $TESSERA_DRIVERS lists, separated by colons, on
/// Windows by semicolons. The drivers remain loaded. Appends to `failures` why a driver cannot be
/// used.
std::vector<cl::Platform> platforms_of_drivers(std::string& failures);

}  // namespace tessera::inline v0::runtime
